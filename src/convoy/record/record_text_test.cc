#include "convoy/record/record_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "convoy/base/error.h"
#include "convoy/base/odd_numbers_test.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/record/epoch_record.h"
#include "convoy/record/step_record.h"

namespace convoy {
namespace {

const StepRecord kStep = {.step = 12,
                          .epoch = 2,
                          .rank = 1,
                          .samples = 128,
                          .loss = 0.1,
                          .learning_rate = 1e-5,
                          .times = {.seconds = 1.0 / 3,
                                    .compute_seconds = 3,
                                    .input_wait_seconds = 0,
                                    .exposed_communication_seconds = 1e300,
                                    .straggler_wait_seconds = 5e-324,
                                    .communication_seconds = 0.5},
                          .wire_bytes = 1e9};

template <typename Record>
std::string line_of(const Record& record) {
  std::string line;
  append_json_line(line, record);
  return line;
}

template <typename Record>
std::string row_of(const Record& record) {
  std::string row;
  append_csv_row(row, record);
  return row;
}

TEST(RecordText, StepIsOneLineOfJson) {
  EXPECT_EQ(line_of(kStep),
            "{\"step\":12,\"epoch\":2,\"rank\":1,\"samples\":128,\"loss\":0.1,\"learning_rate\":1e-05,"
            "\"seconds\":0.3333333333333333,\"compute_seconds\":3,\"input_wait_seconds\":0,"
            "\"exposed_communication_seconds\":1e+300,\"straggler_wait_seconds\":5e-324,"
            "\"communication_seconds\":0.5,\"wire_bytes\":1000000000}\n");
}

TEST(RecordText, StepIsOneRowOfCsv) {
  EXPECT_EQ(csv_header<StepRecord>(),
            "step,epoch,rank,samples,loss,learning_rate,seconds,compute_seconds,input_wait_seconds,"
            "exposed_communication_seconds,straggler_wait_seconds,communication_seconds,wire_bytes\n");
  EXPECT_EQ(row_of(kStep), "12,2,1,128,0.1,1e-05,0.3333333333333333,3,0,1e+300,5e-324,0.5,1000000000\n");
}

TEST(RecordText, NumbersComeBackExactly) {
  EXPECT_EQ(record_from<StepRecord>(parse_json(line_of(kStep))), kStep);
  StepRecord large = kStep;
  large.step = std::numeric_limits<std::int64_t>::max();
  large.rank = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(record_from<StepRecord>(parse_json(line_of(large))), large);
}

TEST(RecordText, WhatIsNotFiniteIsNullAndComesBackAsNan) {
  StepRecord diverged = kStep;
  diverged.loss = kNan;
  diverged.times.seconds = kInfinity;
  diverged.learning_rate = -kInfinity;
  const auto json = parse_json(line_of(diverged));
  EXPECT_TRUE(json.at("loss").is_null());
  EXPECT_TRUE(json.at("seconds").is_null());
  const auto back = record_from<StepRecord>(json);
  EXPECT_TRUE(std::isnan(back.loss));
  EXPECT_TRUE(std::isnan(back.times.seconds));
  EXPECT_TRUE(std::isnan(back.learning_rate));
  EXPECT_EQ(back.times.compute_seconds, 3);
  EXPECT_EQ(row_of(diverged).substr(0, 15), "12,2,1,128,,,,3");
}

TEST(RecordText, MetricsThatWereNotTakenAreAbsent) {
  EpochRecord epoch = {.epoch = 3, .end_step = 30, .steps = 10, .samples = 640, .test_top1 = 0.75, .test_top5 = kNan};
  const auto json = parse_json(line_of(epoch));
  EXPECT_FALSE(json.contains("test_loss"));
  const auto back = record_from<EpochRecord>(json);
  EXPECT_FALSE(back.test_loss.has_value());
  EXPECT_EQ(back.test_top1, 0.75);
  ASSERT_TRUE(back.test_top5.has_value()) << "measured and NaN is not the same as not measured";
  EXPECT_TRUE(std::isnan(*back.test_top5));
  epoch.test_top5.reset();
  EXPECT_EQ(record_from<EpochRecord>(parse_json(line_of(epoch))), epoch);
  EXPECT_EQ(row_of(epoch), "3,30,10,640,0,0,,0.75,,0,0,0,0,0,0,0,0,0,0,,,,,,,\n");
}

TEST(RecordText, FieldThatIsMissingOrWrongIsNamed) {
  const auto read = [](const std::string& text) { return [text] { (void)record_from<StepRecord>(parse_json(text)); }; };
  EXPECT_TRUE(throws_with<DataError>(read("{\"step\":1}"), "'epoch' is missing"));
  EXPECT_TRUE(throws_with<DataError>(read("{\"step\":1.5}"), "'step' is not a whole number"));
  EXPECT_TRUE(throws_with<DataError>(read("{\"step\":null}"), "'step' is not a whole number"));
  EXPECT_TRUE(throws_with<DataError>(read("{\"step\":9223372036854775808}"), "'step' is not a whole number"));
  EXPECT_TRUE(throws_with<DataError>(read("{\"step\":1,\"epoch\":1,\"rank\":0,\"samples\":1,\"loss\":\"a\"}"),
                                     "'loss' is not a number"));
  EXPECT_TRUE(throws_with<DataError>(read("[1]"), "no JSON object"));
  EXPECT_TRUE(throws_with<DataError>(read("{\"step\":"), "no JSON"));
}

}  // namespace
}  // namespace convoy
