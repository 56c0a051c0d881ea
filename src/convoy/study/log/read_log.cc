#include "convoy/study/log/read_log.h"

#include <algorithm>
#include <array>
#include <regex>

#include "convoy/base/error.h"
#include "convoy/base/file/input_file.h"
#include "convoy/study/log/cntk_log.h"
#include "convoy/study/log/csv_log.h"
#include "convoy/study/log/event_log.h"
#include "convoy/study/log/horovod_benchmark_log.h"
#include "convoy/study/log/keras_log.h"
#include "convoy/study/log/log_text.h"
#include "convoy/study/log/tf_benchmark_log.h"

namespace convoy::study {
namespace {

struct LogFormat {
  const char* sign;  // a regular expression for how a line begins that only this system prints
  std::vector<ImportedLog> (*parse)(std::string_view text, const std::string& name);
};

constexpr std::array kLogFormats = {
    LogFormat{.sign = R"(Finished Epoch\[.*)", .parse = parse_cntk_log},
    LogFormat{.sign = R"(Epoch \d+/\d+.*)", .parse = parse_keras_log},
    LogFormat{.sign = R"(Iter #\d+: .*|Total img/sec on .*)", .parse = parse_horovod_benchmark_log},
    LogFormat{.sign = R"(Step Img/sec .*|total images/sec: .*|\d+ images/sec: .*)", .parse = parse_tf_benchmark_log},
};

bool is_table(std::string_view text) {
  const std::string_view first = text.substr(0, text.find('\n'));
  return first.find(',') != std::string_view::npos && first.find("epoch") != std::string_view::npos &&
         first.find('[') == std::string_view::npos;
}

}  // namespace

std::vector<ImportedLog> parse_log(std::string_view text, const std::string& name) {
  if (is_event_file(text) || name.find("tfevents") != std::string::npos) return parse_event_log(text, name);
  if (name.ends_with(".csv") || is_table(text)) return parse_csv_log(text, name);
  std::vector<std::regex> signs;
  for (const LogFormat& format : kLogFormats) signs.emplace_back(format.sign);
  std::smatch parts;
  for (const LogLine& line : log_lines(text)) {
    const std::string beginning = line.text.substr(0, 100);
    for (std::size_t i = 0; i < signs.size(); ++i) {
      if (matches(beginning, signs[i], parts)) return kLogFormats[i].parse(text, name);
    }
  }
  throw DataError(
      "{}: no line of a system that is known: CNTK ('Finished Epoch[1 of 10]: ...'), Keras ('Epoch 1/10'), Horovod's "
      "synthetic benchmark ('Iter #0: ... img/sec per GPU'), tf_cnn_benchmarks ('total images/sec: ...'), CSV with a "
      "column 'epoch' (Keras' CSVLogger writes it), or event files of TensorBoard",
      name);
}

std::vector<ImportedLog> read_log(const std::filesystem::path& path) {
  if (std::filesystem::is_directory(path)) return read_event_folder(path);
  return parse_log(read_file(path), path.string());
}

}  // namespace convoy::study
