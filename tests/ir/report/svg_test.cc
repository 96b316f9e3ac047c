#include "sightline/ir/report/svg.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>

#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::IsStatus;

Status ErrorOf(const Result<std::string>& svg) { return svg ? Status() : svg.error(); }

// A program in place of graphviz.
std::string Script(const testing::TempDir& dir, const std::string& commands) {
  std::string path = dir.File("program");
  testing::WriteFileOrDie(path, "#!/bin/sh\n" + commands + "\n");
  EXPECT_EQ(chmod(path.c_str(), 0700), 0);
  return path;
}

TEST(Svg, IsWhatGraphvizDraws) {
  const Result<std::string> svg = ir::MakeSvg("digraph { hello -> world }");
  ASSERT_THAT(svg, IsOk());
  EXPECT_THAT(*svg, HasSubstr(">hello</text>"));
  EXPECT_THAT(*svg, EndsWith("</svg>\n"));
}

TEST(Svg, WithoutGraphvizTheErrorSaysWhatToInstall) {
  EXPECT_THAT(ErrorOf(ir::MakeSvg("digraph {}", {.program = "no-such-program"})),
              IsStatus(StatusCode::kNotFound, "apt-get install graphviz"));
}

TEST(Svg, WhatGraphvizRefusesIsAnErrorWithItsWords) {
  EXPECT_THAT(ErrorOf(ir::MakeSvg("digraph {")),
              IsStatus(StatusCode::kInvalidArgument, "syntax error"));
}

TEST(Svg, AProgramThatDoesNotEndIsStopped) {
  const testing::TempDir dir;
  const std::string program = Script(dir, "exec sleep 1000");
  EXPECT_THAT(ErrorOf(ir::MakeSvg(
                  "digraph {}", {.program = program, .time_limit = std::chrono::milliseconds(50)})),
              IsStatus(StatusCode::kUnavailable, "within 0.05 s"));
}

TEST(Svg, AProgramThatDiesIsAnError) {
  const testing::TempDir dir;
  EXPECT_THAT(ErrorOf(ir::MakeSvg("digraph {}", {.program = Script(dir, "kill -9 $$")})),
              IsStatus(StatusCode::kInvalidArgument, "graphviz cannot draw this"));
}

// More than a pipe holds goes in and comes out.
TEST(Svg, LargeTextsPassThrough) {
  const testing::TempDir dir;
  const std::string text(5'000'000, 'x');
  const Result<std::string> echoed =
      ir::MakeSvg(text, {.program = Script(dir, "cat; cat /dev/null >&2")});
  ASSERT_THAT(echoed, IsOk());
  EXPECT_EQ(*echoed, text);
}

// The name is not a command line.
TEST(Svg, NoShellReadsTheProgramsName) {
  EXPECT_THAT(ErrorOf(ir::MakeSvg("digraph {}", {.program = "true; echo"})),
              IsStatus(StatusCode::kNotFound, "true; echo"));
}

}  // namespace
}  // namespace sightline
