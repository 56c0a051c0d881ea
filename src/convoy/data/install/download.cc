#include "convoy/data/install/install_steps.h"

#include <curl/curl.h>

#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <span>

#include "convoy/base/error.h"
#include "convoy/base/file/output_file.h"
#include "convoy/base/file/write_error.h"

namespace convoy::data {

namespace fs = std::filesystem;

namespace {

// Called once, before any thread uses curl; C++ ensures that for a static variable.
void start_curl() {
  static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (started != CURLE_OK) throw SystemError(curl_easy_strerror(started));
}

class Download {
 public:
  Download(const std::string& url, const fs::path& path, const DownloadProgress& on_progress)
      : url_(url), path_(path), on_progress_(on_progress), curl_(curl_easy_init()) {
    if (!curl_) throw std::bad_alloc();
  }

  // Whether the server could continue from `offset`; throws for all other failures.
  bool fetch_from(std::int64_t offset) {
    offset_ = offset;
    file_.emplace(path_, offset > 0 ? OutputFile::Start::at_end : OutputFile::Start::fresh);
    set_options();
    const CURLcode result = curl_easy_perform(curl_.get());
    if (stopped_) std::rethrow_exception(stopped_);
    if (offset > 0 && (result == CURLE_RANGE_ERROR || result == CURLE_BAD_DOWNLOAD_RESUME)) return false;
    if (result != CURLE_OK) fail(reason(result));
    file_->close();
    return true;
  }

 private:
  template <typename Value>
  void set(CURLoption option, Value value) {
    curl_easy_setopt(curl_.get(), option, value);
  }

  void set_options() {
    set(CURLOPT_URL, url_.c_str());
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_FOLLOWLOCATION, 1L);
    set(CURLOPT_FAILONERROR, 1L);
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_ERRORBUFFER, error_);
    set(CURLOPT_CONNECTTIMEOUT, 20L);
    set(CURLOPT_LOW_SPEED_LIMIT, 1L);
    set(CURLOPT_LOW_SPEED_TIME, 30L);
    set(CURLOPT_RESUME_FROM_LARGE, static_cast<curl_off_t>(offset_));
    set(CURLOPT_WRITEFUNCTION, on_write);
    set(CURLOPT_WRITEDATA, this);
    set(CURLOPT_NOPROGRESS, 0L);
    set(CURLOPT_XFERINFOFUNCTION, on_transfer);
    set(CURLOPT_XFERINFODATA, this);
  }

  // Exceptions must not pass through libcurl; returning fewer bytes than given ends the transfer.
  static std::size_t on_write(char* bytes, std::size_t size, std::size_t count, void* self) {
    auto* const download = static_cast<Download*>(self);
    OutputFile& file = *download->file_;
    try {
      file.write_at(file.size_bytes(), std::as_bytes(std::span(bytes, size * count)));
      return size * count;
    } catch (...) {
      download->stopped_ = std::current_exception();
      return 0;
    }
  }

  // Exceptions must not pass through libcurl here either.
  static int on_transfer(void* self, curl_off_t total, curl_off_t done, curl_off_t, curl_off_t) {
    auto* const download = static_cast<Download*>(self);
    try {
      download->on_progress_(download->offset_ + done, total > 0 ? download->offset_ + total : 0);
      return 0;
    } catch (...) {
      download->stopped_ = std::current_exception();
      return 1;
    }
  }

  [[nodiscard]] const char* reason(CURLcode result) const {
    return error_[0] != '\0' ? error_ : curl_easy_strerror(result);
  }

  [[noreturn]] void fail(const char* reason) const { throw DataError("{}: cannot be fetched: {}", url_, reason); }

  struct Cleanup {
    void operator()(CURL* curl) const { curl_easy_cleanup(curl); }
  };
  std::string url_;
  fs::path path_;
  const DownloadProgress& on_progress_;
  std::unique_ptr<CURL, Cleanup> curl_;
  std::optional<OutputFile> file_;
  std::int64_t offset_ = 0;
  std::exception_ptr stopped_;
  char error_[CURL_ERROR_SIZE] = {};
};

}  // namespace

void download(const std::string& url, const fs::path& path, const DownloadProgress& on_progress) {
  start_curl();
  std::error_code missing;
  const std::uintmax_t present = fs::file_size(path, missing);
  const std::int64_t offset = missing ? 0 : static_cast<std::int64_t>(present);
  try {
    if (!Download(url, path, on_progress).fetch_from(offset)) {
      (void)Download(url, path, on_progress).fetch_from(0);
    }
  } catch (const WriteError& error) {
    throw DataError("{}: cannot be fetched: {}", url, error.reason());
  }
}

}  // namespace convoy::data
