#include "convoy/study/log/keras_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"

namespace convoy::study {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

ImportedLog keras_run(const std::string& text) {
  const std::vector<ImportedLog> logs = parse_keras_log(text, "train.log");
  EXPECT_EQ(logs.size(), 1);
  return logs.front();
}

const std::string kTwoEpochs =
    "Epoch 1/2\n"
    "  1/235 [..............................] - ETA: 1:23 - loss: 2.3 - accuracy: 0.1\r"
    "235/235 [==============================] - ETA: 0s - loss: 0.5 - accuracy: 0.85\r"
    "235/235 [==============================] - 12s 51ms/step - loss: 0.4 - accuracy: 0.88 - val_loss: 0.3 - "
    "val_accuracy: 0.91\n"
    "Epoch 2/2\n"
    "235/235 [==============================] - 20s 51ms/step - loss: 0.2 - accuracy: 0.94 - val_loss: 0.25 - "
    "val_accuracy: 0.92\n";

TEST(KerasLog, TakesTheEndOfEachEpoch) {
  const ImportedLog log = keras_run("Using TensorFlow backend.\n" + kTwoEpochs);
  EXPECT_EQ(log.system, "Keras");
  EXPECT_EQ(log.announced_epochs, 2);
  ASSERT_EQ(log.lines.size(), 2);
  EXPECT_EQ(log.lines[0].epoch, 1);
  EXPECT_NEAR(log.lines[0].seconds, 235 * 0.051, 1e-9);  // more digits than the printed 12
  EXPECT_EQ(log.lines[1].seconds, 20);                   // steps times 51 ms would be something else
  EXPECT_EQ(log.lines[0].samples, 0);
  EXPECT_EQ(log.lines[0].samples_per_second, 0);
  EXPECT_EQ(log.lines[0].loss, 0.4);
  EXPECT_NEAR(*log.lines[0].error, 0.12, 1e-12);
  EXPECT_EQ(log.lines[0].test_loss, 0.3);
  EXPECT_NEAR(*log.lines[1].test_error, 0.08, 1e-12);
  EXPECT_THAT(log.notes, ElementsAre(HasSubstr("passed over: 3"), HasSubstr("include its evaluation"),
                                     HasSubstr("--set samples=N")));
}

TEST(KerasLog, FormsOfOtherVersions) {
  const auto line = [](const std::string& text) { return keras_run("Epoch 1/1\n" + text + "\n").lines.at(0); };
  const ImportedEpoch three = line("60000/60000 [=====] - 5s 85us/sample - loss: 0.2 - acc: 0.9");
  EXPECT_EQ(three.samples, 60000);
  EXPECT_NEAR(three.seconds, 5.1, 1e-9);
  EXPECT_NEAR(*three.error, 0.1, 1e-12);
  EXPECT_NEAR(*line("235/235 ━━━━━━━━━━━━ 12s 51ms/step - accuracy: 0.9 - loss: 0.2 - val_accuracy: 0.8").test_error,
              0.2, 1e-12);
  EXPECT_EQ(line(" - 12s - loss: 0.2 - sparse_categorical_accuracy: 0.9").seconds, 12);
  EXPECT_EQ(line("235/235 - 12s - loss: 0.2 - accuracy: 0.9 - 12s/epoch - 51ms/step").loss, 0.2);
  EXPECT_FALSE(line("235/235 - 12s - loss: 0.2 - top_k_categorical_accuracy: 0.9").error);
}

TEST(KerasLog, WrappedAndPastedLines) {
  const ImportedLog log = keras_run(
      "> Epoch 1/1\n> 235/235 \\[====\\] - 12s 51ms/step - loss: 0.4 -\n> accuracy: 0.88 - val\\_loss: 0.3\n"
      "> val\\_accuracy: 0.91\n");
  ASSERT_EQ(log.lines.size(), 1);
  EXPECT_NEAR(*log.lines[0].error, 0.12, 1e-12);
  EXPECT_NEAR(*log.lines[0].test_error, 0.09, 1e-12);
}

TEST(KerasLog, EvaluationsAfterTheLastEpoch) {
  const std::string epoch = "Epoch 1/1\n235/235 [==] - 12s 51ms/step - loss: 0.4 - accuracy: 0.88\n";
  const ImportedLog said = keras_run(epoch + "Test loss: 0.3\nTest accuracy: 91.5%\n");
  EXPECT_EQ(said.lines[0].test_loss, 0.3);
  EXPECT_NEAR(*said.lines[0].test_error, 0.085, 1e-12);
  const ImportedLog evaluated = keras_run(epoch + "313/313 [==] - 1s 2ms/step - loss: 0.3 - accuracy: 0.9\n");
  ASSERT_EQ(evaluated.lines.size(), 1);
  EXPECT_NEAR(*evaluated.lines[0].test_error, 0.1, 1e-12);
}

TEST(KerasLog, RanksAndRunsOfOneFile) {
  const auto logs = parse_keras_log(
      "$ horovodrun -np 2 python mnist.py --batch-size 64\n[1,0]<stdout>:Epoch 1/1\n"
      "[1,1]<stdout>:Epoch 1/1\n"
      "[1,0]<stdout>:235/235 [==] - 12s 51ms/step - loss: 0.4\n"
      "[1,1]<stdout>:235/235 [==] - 13s 55ms/step - loss: 0.4\n"
      "$ python mnist.py --batch-size 64\nEpoch 1/1\n"
      "470/470 [==] - 22s 47ms/step - loss: 0.4\n",
      "mnist.txt");
  ASSERT_EQ(logs.size(), 2);
  EXPECT_EQ(logs[0].settings.at("workers"), "2");
  ASSERT_EQ(logs[0].lines.size(), 2);
  EXPECT_EQ(logs[0].lines[1].rank, 1);
  EXPECT_FALSE(logs[1].settings.contains("workers"));  // nothing says that there was only one
  EXPECT_EQ(logs[1].lines.size(), 1);
}

TEST(KerasLog, WhatMakesNoSense) {
  EXPECT_TRUE(throws_with<DataError>([] { (void)parse_keras_log("Epoch 1/2\n", "a.log"); }, "no finished epoch"));
  const std::string backwards =
      "Epoch 2/9\n5/5 [==] - 12s 51ms/step - loss: 0.4\nEpoch 1/9\n5/5 [==] - 12s 51ms/step - loss: 0.4\n";
  EXPECT_TRUE(throws_with<DataError>([&] { (void)parse_keras_log(backwards, "a.log"); }, "a.log:4: epoch 1"));
}

}  // namespace
}  // namespace convoy::study
