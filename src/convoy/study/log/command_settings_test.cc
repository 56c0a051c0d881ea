#include "convoy/study/log/command_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace convoy::study {
namespace {

using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

TEST(CommandSettings, CommandsAreToldFromOtherLines) {
  EXPECT_TRUE(is_command_line("mpirun -np 4 python train.py"));
  EXPECT_TRUE(is_command_line("$ python3 train.py"));
  EXPECT_TRUE(is_command_line("user@host:~/lab$ OMP_NUM_THREADS=4 nohup /usr/bin/python train.py &"));
  EXPECT_TRUE(is_command_line("/opt/bin/horovodrun -np 2 -H a:1,b:1 python x.py"));
  EXPECT_FALSE(is_command_line("python: command not found"));
  EXPECT_FALSE(is_command_line("We ran mpirun -np 4 as follows"));
  EXPECT_FALSE(is_command_line("Finished Epoch[1 of 1]"));
  EXPECT_FALSE(is_command_line(""));
}

TEST(CommandSettings, OptionsAreReadInAnySpelling) {
  EXPECT_THAT(settings_from_command("mpirun -np 4 -bind-to none python train.py --batch-size=64 --model resnet50"),
              UnorderedElementsAre(Pair("workers", "4"), Pair("batch", "64"), Pair("model", "resnet50")));
  EXPECT_THAT(settings_from_command("OMP_NUM_THREADS=8 srun --ntasks=2 python a.py --minibatch_size 32"),
              UnorderedElementsAre(Pair("threads", "8"), Pair("workers", "2"), Pair("batch", "32")));
  EXPECT_THAT(settings_from_command("python tf_cnn_benchmarks.py --num_gpus=8 --batch_size=32 --model=vgg16"),
              UnorderedElementsAre(Pair("workers", "8"), Pair("batch", "32"), Pair("model", "vgg16")));
}

TEST(CommandSettings, NothingIsGuessed) {
  EXPECT_THAT(settings_from_command("python train.py -n 4 -b 64 --batch-size large --model --verbose"), IsEmpty());
  EXPECT_THAT(settings_from_command("srun -N 4 python train.py"), IsEmpty());
}

}  // namespace
}  // namespace convoy::study
