#include "convoy/cli/launch/launch_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convoy/base/error.h"
#include "convoy/base/shell_text.h"
#include "convoy/base/throws_with_test.h"

namespace convoy::cli {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

LaunchSituation machine(int cores, int usable) {
  LaunchSituation situation{.host_name = "here"};
  situation.cores.package_of_core.assign(static_cast<std::size_t>(cores), 0);
  situation.cores.usable = usable;
  return situation;
}
LaunchSituation machine(int cores) { return machine(cores, cores); }

LaunchRequest workers(int count, const std::string& hosts = "") {
  return {.workers = count, .hosts = parse_host_list(hosts), .command = {"/bin/convoy", "train"}};
}

std::string command_of(const LaunchPlan& plan) { return shell_text(plan.arguments); }

TEST(LaunchPlan, EachWorkerGetsItsShareOfTheCoresForItself) {
  const LaunchPlan plan = plan_launch(workers(2), machine(8));
  EXPECT_EQ(command_of(plan),
            "mpirun -n 2 --host localhost:2 --map-by slot:PE=4 --bind-to core --mca btl_vader_single_copy_mechanism "
            "none -x OMP_NUM_THREADS=4 /bin/convoy train --threads 4");
  EXPECT_EQ(plan.threads, 4);
  EXPECT_EQ(plan.map, "rank 0    here  cores 0-3, 4 threads\nrank 1    here  cores 4-7, 4 threads\n");
  EXPECT_THAT(plan.notes, IsEmpty());
}

TEST(LaunchPlan, ThreadsGivenAreKept) {
  LaunchRequest request = workers(2);
  request.threads = 1;
  const LaunchPlan plan = plan_launch(request, machine(8));
  EXPECT_THAT(command_of(plan),
              AllOf(HasSubstr("slot:PE=1"), HasSubstr("OMP_NUM_THREADS=1"), Not(HasSubstr("--threads"))));
  EXPECT_THAT(plan.notes, ElementsAre("6 of 8 cores stay idle"));
}

TEST(LaunchPlan, ARunThatGoesOnWithOtherWorkersHasNoMoreThreadsThanBefore) {
  LaunchRequest request = workers(2);
  request.most_threads = 3;
  const LaunchPlan plan = plan_launch(request, machine(8));
  EXPECT_EQ(plan.threads, 3);
  EXPECT_THAT(command_of(plan), HasSubstr("--threads 3"));
  EXPECT_THAT(plan.notes, ElementsAre("2 of 8 cores stay idle"));
  EXPECT_THAT(plan_launch(request, machine(4)).notes, ElementsAre(HasSubstr("had 3 threads and now have 2")));
}

TEST(LaunchPlan, MoreWorkersThanCoresShareThemAndItIsSaid) {
  const LaunchPlan plan = plan_launch(workers(4), machine(2));
  EXPECT_THAT(command_of(plan), AllOf(HasSubstr("--oversubscribe --bind-to none"), HasSubstr("mpi_yield_when_idle 1"),
                                      HasSubstr("OMP_WAIT_POLICY=passive"), HasSubstr("--threads 1")));
  EXPECT_THAT(plan.map, HasSubstr("rank 3    here  any of 2 cores, 1 thread\n"));
  EXPECT_THAT(plan.notes, ElementsAre(HasSubstr("4 workers of 1 thread share 2 cores")));
}

TEST(LaunchPlan, MoreThreadsThanCoresAreOversubscriptionToo) {
  LaunchRequest request = workers(2);
  request.threads = 3;
  EXPECT_THAT(command_of(plan_launch(request, machine(4))), HasSubstr("--oversubscribe"));
}

TEST(LaunchPlan, CoresThatAreNotOursAreNotBoundTo) {
  const LaunchPlan plan = plan_launch(workers(2), machine(64, 4));
  EXPECT_THAT(command_of(plan),
              AllOf(HasSubstr("--bind-to none"), Not(HasSubstr("--oversubscribe")), HasSubstr("OMP_NUM_THREADS=2")));
  EXPECT_THAT(plan.notes, ElementsAre(HasSubstr("4 cores of 64 may be used here")));
}

TEST(LaunchPlan, RootIsAllowedAndTold) {
  LaunchSituation situation = machine(2);
  situation.is_root = true;
  const LaunchPlan plan = plan_launch(workers(2), situation);
  EXPECT_THAT(command_of(plan), HasSubstr("mpirun --allow-run-as-root -n 2"));
  EXPECT_THAT(plan.notes, ElementsAre(HasSubstr("root")));
}

TEST(LaunchPlan, HostsAreFilledInOrder) {
  const LaunchPlan plan = plan_launch(workers(3, "a:2,b:2"), machine(4));
  EXPECT_THAT(command_of(plan), HasSubstr("-n 3 --host a:2,b:1 --map-by slot:PE=2"));
  EXPECT_EQ(
      plan.map,
      "rank 0    a  cores 0-1, 2 threads\nrank 1    a  cores 2-3, 2 threads\nrank 2    b  cores 0-1, 2 threads\n");
  EXPECT_THAT(plan.notes, ElementsAre(HasSubstr("hosts are taken to have 4 cores each")));
}

TEST(LaunchPlan, AHostThatGetsNobodyIsLeftOut) {
  EXPECT_THAT(command_of(plan_launch(workers(2, "a:2,b:2"), machine(4))), HasSubstr("--host a:2 "));
}

TEST(LaunchPlan, TheEnvironmentTravelsToOtherHostsOnly) {
  LaunchSituation situation = machine(2);
  situation.variable_names = {"CONVOY_X", "HOME", "OMPI_MCA_btl", "XDG_CACHE_HOME"};
  EXPECT_THAT(command_of(plan_launch(workers(2, "a:1,b:1"), situation)),
              HasSubstr("-x CONVOY_X -x XDG_CACHE_HOME /bin/convoy"));
  EXPECT_THAT(command_of(plan_launch(workers(2), situation)), Not(HasSubstr("CONVOY_X")));
  EXPECT_THAT(command_of(plan_launch(workers(2, "here:2"), situation)), Not(HasSubstr("CONVOY_X")));
}

TEST(LaunchPlan, WhatTheUserTellsOpenMpiIsKept) {
  LaunchSituation situation = machine(2);
  situation.variable_names = {"OMPI_MCA_btl_vader_single_copy_mechanism"};
  EXPECT_THAT(command_of(plan_launch(workers(2), situation)), Not(HasSubstr("single_copy")));
}

TEST(LaunchPlan, SshAsksNothingAndGivesUpSoon) {
  LaunchSituation situation = machine(2);
  const auto command = [&](const std::string& hosts) { return command_of(plan_launch(workers(2, hosts), situation)); };
  EXPECT_THAT(command("a:1,b:1"), HasSubstr("--mca plm_rsh_args '-o BatchMode=yes -o ConnectTimeout=10' "));
  EXPECT_THAT(command("here:2"), Not(HasSubstr("plm_rsh_args")));
  for (const char* chosen : {"OMPI_MCA_plm", "OMPI_MCA_plm_rsh_agent", "OMPI_MCA_plm_rsh_args"}) {
    situation.variable_names = {chosen};
    EXPECT_THAT(command("a:1,b:1"), Not(HasSubstr("plm_rsh_args"))) << chosen;
  }
}

TEST(LaunchPlan, WhoOnlyLooksIsNotBound) {
  LaunchRequest request = workers(1, "a:1");
  request.own_cores = false;
  request.threads = 1;
  EXPECT_THAT(command_of(plan_launch(request, machine(8))), HasSubstr("--bind-to none"));
}

TEST(LaunchPlan, TheUsersBindingIsKept) {
  LaunchSituation situation = machine(2);
  situation.variable_names = {"OMPI_MCA_hwloc_base_binding_policy"};
  const LaunchPlan plan = plan_launch(workers(2), situation);
  EXPECT_THAT(command_of(plan), Not(HasSubstr("--bind-to")));
  EXPECT_THAT(plan.notes, ElementsAre(HasSubstr("OMPI_MCA_hwloc_base_binding_policy")));
}

TEST(LaunchPlan, AWorkerOnTwoProcessorsIsNamed) {
  LaunchSituation situation = machine(8);
  situation.cores.package_of_core = {0, 0, 0, 0, 1, 1, 1, 1};
  EXPECT_THAT(plan_launch(workers(1), situation).notes, ElementsAre(HasSubstr("two processors")));
  EXPECT_THAT(plan_launch(workers(2), situation).notes, IsEmpty());
}

TEST(LaunchPlan, ImpossibleNumbersAreRefused) {
  LaunchRequest request = workers(2);
  request.threads = 0;
  EXPECT_TRUE(throws_with<UserError>([&] { (void)plan_launch(request, machine(2)); }, "--threads"));
  EXPECT_TRUE(throws_with<UserError>([&] { (void)plan_launch(request, machine(2)); }, "0"));
  EXPECT_TRUE(throws_with<UserError>([&] { (void)plan_launch(workers(0), machine(2)); }, "--workers"));
  EXPECT_TRUE(throws_with<UserError>([&] { (void)plan_launch(workers(0), machine(2)); }, "0"));
  EXPECT_TRUE(
      throws_with<UserError>([&] { (void)plan_launch(workers(5, "a:2,b:2"), machine(2)); }, "5 workers on 4 slots"));
}

}  // namespace
}  // namespace convoy::cli
