#include "convoy/run/fair_threads.h"

#include <gtest/gtest.h>

namespace convoy {
namespace {

TEST(ChooseThreads, ItsShareOfTheCoresWhenNothingIsSaid) {
  EXPECT_EQ(choose_threads({}, 4).threads, 4);
  EXPECT_EQ(choose_threads({}, 4).note, "");
}

TEST(ChooseThreads, WhatWasSaidIsKept) {
  for (const int threads : {1, 3, 4}) {
    const ThreadChoice choice = choose_threads({.exactly = threads, .at_most = {}}, 4);
    EXPECT_EQ(choice.threads, threads);
    EXPECT_EQ(choice.note, "");
  }
}

TEST(ChooseThreads, MoreThanThereAreCoresAreKeptAndSaid) {
  const ThreadChoice choice = choose_threads({.exactly = 8, .at_most = {}}, 1);
  EXPECT_EQ(choice.threads, 8);
  EXPECT_NE(choice.note.find("8 threads share 1 core:"), std::string::npos) << choice.note;
  EXPECT_NE(choice.note.find("--threads 1 "), std::string::npos) << choice.note;
}

TEST(ChooseThreads, OtherWorkersTakeNoMoreThanTheirShare) {
  EXPECT_EQ(choose_threads({.exactly = {}, .at_most = 2}, 4).threads, 2);
  EXPECT_EQ(choose_threads({.exactly = {}, .at_most = 2}, 4).note, "");
  const ThreadChoice choice = choose_threads({.exactly = {}, .at_most = 8}, 2);
  EXPECT_EQ(choice.threads, 2);
  EXPECT_NE(choice.note.find("had 8 threads and now have 2"), std::string::npos) << choice.note;
  EXPECT_NE(choice.note.find("--threads 8 keeps"), std::string::npos) << choice.note;
}

}  // namespace
}  // namespace convoy
