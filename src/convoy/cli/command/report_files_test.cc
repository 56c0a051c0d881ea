#include "convoy/cli/command/report_files.h"

#include "convoy/base/error.h"
#include "convoy/base/temporary_folder_test.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/report/render/renderers.h"

namespace convoy::cli {
namespace {

using ReportFilesTest = TemporaryFolder;

const report::Document kDocument = {.title = "T", .sections = {{.id = "s", .title = "S", .blocks = {}}}};

TEST_F(ReportFilesTest, WhatSomebodyElseWroteStays) {
  put(folder_ / "report.html", "<p>mine</p>");
  const auto write = [&] { write_report_files(folder_, {{"data/a.csv", "a"}, {"report.html", to_html(kDocument)}}); };
  EXPECT_TRUE(throws_with<UserError>(write, "was not written by Convoy"));
  EXPECT_EQ(read(folder_ / "report.html"), "<p>mine</p>");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "data")) << "all or nothing";
}

TEST_F(ReportFilesTest, ConvoysOwnIsWrittenAgain) {
  for (const std::string& text : {to_html(kDocument), to_markdown(kDocument)}) {
    write_report_files(folder_, {{"report", text}});
    EXPECT_FALSE(is_foreign(folder_ / "report"));
    write_report_files(folder_, {{"report", text + " "}});
    EXPECT_EQ(read(folder_ / "report"), text + " ");
  }
}

TEST_F(ReportFilesTest, TablesAreKnownByTheirNames) {
  write_report_files(folder_, {{"data/a.csv", "1"}});
  write_report_files(folder_, {{"data/a.csv", "2"}, {"data/b.csv", "2"}});
  EXPECT_EQ(read(folder_ / "data/a.csv"), "2");
  put(folder_ / "data/c.csv", "mine");
  EXPECT_TRUE(is_foreign(folder_ / "data/c.csv"));
  EXPECT_TRUE(throws_with<UserError>([&] { write_report_files(folder_, {{"data/c.csv", "3"}}); }, "c.csv"));
}

}  // namespace
}  // namespace convoy::cli
