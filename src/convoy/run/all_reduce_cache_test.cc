#include "convoy/run/all_reduce_cache.h"

#include <gtest/gtest.h>

#include <fstream>

#include "convoy/base/temporary_folder_test.h"
#include "convoy/comm/solo/solo_transport.h"
#include "convoy/comm/thread/thread_world.h"

namespace convoy {
namespace {

namespace fs = std::filesystem;

const AllReduceMeasurement kShort{.sizes_bytes = {64}, .seconds = 0.01};

std::string table_of_two_ranks(const fs::path& folder) {
  std::string text;
  run_as_threads({.ranks = 2}, [&](Transport& transport) {
    const auto table = all_reduce_table_for(transport, folder, kShort);
    if (transport.rank() == 1) text = table.value().to_json();
  });
  return text;
}

class AllReduceCache : public TemporaryFolder {
 protected:
  [[nodiscard]] fs::path tables() const { return folder_ / "allreduce"; }
  [[nodiscard]] fs::path only_file() const { return fs::directory_iterator(tables())->path(); }
};

TEST_F(AllReduceCache, MeasuresOnceForATopology) {
  const std::string first = table_of_two_ranks(tables());
  EXPECT_EQ(table_of_two_ranks(tables()), first);
}

TEST_F(AllReduceCache, MeasuresAgainWhenTheFileIsDamaged) {
  (void)table_of_two_ranks(tables());
  std::ofstream(only_file()) << "nonsense";
  const std::string again = table_of_two_ranks(tables());
  EXPECT_EQ(table_of_two_ranks(tables()), again);
}

TEST_F(AllReduceCache, IsNeededByNobodyAlone) {
  SoloTransport solo;
  EXPECT_FALSE(all_reduce_table_for(solo, tables()).has_value());
  EXPECT_FALSE(fs::exists(tables()));
}

TEST_F(AllReduceCache, WorksWithoutAFolder) { EXPECT_FALSE(table_of_two_ranks({}).empty()); }

}  // namespace
}  // namespace convoy
