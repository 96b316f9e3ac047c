// Packs: written, read as the folder that was packed, and damaged.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "sightline/base/crc32c.h"
#include "sightline/base/wire.h"
#include "sightline/ir/folder/anonymous.h"
#include "sightline/ir/folder/deflate.h"
#include "sightline/ir/folder/dump_files.h"
#include "sightline/ir/folder/folder.h"
#include "sightline/ir/folder/pack_format.h"
#include "sightline/ir/folder/pack_reader.h"
#include "sightline/ir/folder/pack_writer.h"
#include "sightline/ir/read/reader.h"
#include "sightline/tests/ir/small_dump.h"
#include "sightline/tests/support/faulty_file_system.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline::ir {
namespace {

using ::testing::ElementsAre;
using testing::IsOk;
using testing::IsStatus;
using testing::SmallDump;

class PackTest : public ::testing::Test {
 protected:
  PackTest() {
    files_.Put("graphs/00_a_0000.ir", SmallDump("Add"));
    files_.Put("graphs/01_b_0001.ir", SmallDump("Add ReLU"));
    files_.Put("graphs/rank_3/om/analyze_fail.ir", "no newline at the end");
    files_.Put("graphs/empty.pb", "");
  }

  PackStatistics Pack(const PackOptions& options = {}) {
    const auto packed = WritePack(files_, "graphs", "p.irpack", options);
    EXPECT_THAT(packed, IsOk());
    return packed.value_or(PackStatistics());
  }

  std::string ReadThrough(const std::string& path) {
    const auto file = dumps_.OpenForRead(path);
    if (!file) return file.error().ToString();
    std::string bytes(*(*file)->Size(), '\0');
    EXPECT_EQ((*file)->ReadAt(0, bytes), bytes.size());
    return bytes;
  }

  testing::MemoryFileSystem files_;
  DumpFileSystem dumps_{files_};
};

TEST_F(PackTest, EveryFileComesBackAsItWas) {
  EXPECT_EQ(Pack().files, 4);
  for (const char* name :
       {"00_a_0000.ir", "01_b_0001.ir", "rank_3/om/analyze_fail.ir", "empty.pb"}) {
    EXPECT_EQ(ReadThrough("p.irpack/" + std::string(name)),
              files_.Get("graphs/" + std::string(name)));
  }
}

TEST_F(PackTest, IsAFolder) {
  Pack();
  EXPECT_THAT(*dumps_.List("p.irpack"),
              ElementsAre("00_a_0000.ir", "01_b_0001.ir", "empty.pb", "rank_3"));
  EXPECT_THAT(*dumps_.List("p.irpack/rank_3/"), ElementsAre("om"));
  EXPECT_TRUE(dumps_.Stat("p.irpack")->is_directory);
  EXPECT_TRUE(dumps_.Stat("p.irpack/rank_3/om")->is_directory);
  const auto file = dumps_.Stat("p.irpack/01_b_0001.ir");
  EXPECT_FALSE(file->is_directory);
  EXPECT_EQ(file->size, SmallDump("Add ReLU").size());
  EXPECT_EQ(file->modified_seconds, files_.Stat("graphs/01_b_0001.ir")->modified_seconds);
}

TEST_F(PackTest, WhatIsNotInItIsNotFound) {
  Pack();
  EXPECT_THAT(dumps_.OpenForRead("p.irpack/02_c.ir").error(),
              IsStatus(StatusCode::kNotFound, "p.irpack/02_c.ir"));
  EXPECT_THAT(dumps_.Stat("p.irpack/rank_4").error(), IsStatus(StatusCode::kNotFound, "rank_4"));
  EXPECT_THAT(dumps_.List("p.irpack/rank_4").error(), IsStatus(StatusCode::kNotFound, "rank_4"));
}

TEST_F(PackTest, AFolderOfThatNameIsAFolder) {
  files_.Put("q.irpack/00_a_0000.ir", "x");
  EXPECT_EQ(ReadThrough("q.irpack/00_a_0000.ir"), "x");
}

TEST_F(PackTest, ReadsAsTheFolderItWasMadeOf) {
  Pack();
  const auto packed = ReadFolder(dumps_, "p.irpack", {});
  const auto plain = ReadFolder(files_, "graphs", {});
  ASSERT_THAT(packed, IsOk());
  ASSERT_EQ(packed->dumps.size(), plain->dumps.size());
  for (std::size_t i = 0; i < plain->dumps.size(); ++i) {
    EXPECT_EQ(packed->dumps[i].path, plain->dumps[i].path);
    EXPECT_EQ(packed->dumps[i].figures, plain->dumps[i].figures);
  }
}

TEST_F(PackTest, APackThatIsReplacedIsReadAnew) {
  Pack();
  EXPECT_EQ(ReadThrough("p.irpack/00_a_0000.ir"), SmallDump("Add"));
  files_.Put("graphs/00_a_0000.ir", SmallDump("Mul"));
  Pack();
  EXPECT_EQ(ReadThrough("p.irpack/00_a_0000.ir"), SmallDump("Mul"));
}

// A pack of the one file a.ir, a line of four bytes, that says that they have this checksum.
std::string PackOf(const std::string& line, std::uint32_t checksum) {
  const std::string lines = "\4" + line;
  const std::string recipe("\0\1", 2);
  std::string pack(kPackMagic);
  std::string directory;
  const auto add_block = [&](const std::string& bytes, std::int64_t count) {
    const std::string packed = Deflate(bytes);
    std::string block;
    wire::AppendInt(block, kPackBlockOffset, static_cast<std::int64_t>(pack.size()));
    wire::AppendInt(block, kPackBlockPacked, static_cast<std::int64_t>(packed.size()));
    wire::AppendInt(block, kPackBlockSize, static_cast<std::int64_t>(bytes.size()));
    wire::AppendInt(block, kPackBlockLines, count);
    wire::AppendBytes(directory, kPackBlock, block);
    pack += packed;
  };
  add_block(lines, 1);
  add_block(recipe, 0);
  std::string file;
  wire::AppendBytes(file, kPackFilePath, "a.ir");
  wire::AppendInt(file, kPackFileSize, 4);
  wire::AppendInt(file, kPackFileChecksum, checksum);
  wire::AppendInt(file, kPackFileBlock, 1);
  wire::AppendInt(file, kPackFileRecipe, 2);
  wire::AppendBytes(directory, kPackFile, file);
  const std::string packed = Deflate(directory);
  std::string trailer;
  wire::AppendFixed(trailer, std::uint64_t{pack.size()});
  wire::AppendFixed(trailer, std::uint64_t{packed.size()});
  wire::AppendFixed(trailer, std::uint64_t{directory.size()});
  wire::AppendFixed(trailer, crc32c::Value(packed));
  wire::AppendFixed(trailer, crc32c::Value(trailer));
  wire::AppendFixed(trailer, kPackVersion);
  return pack + packed + trailer + std::string(kPackEndMagic);
}

TEST_F(PackTest, BytesThatAreNotThoseThatWerePackedAreAnError) {
  const std::uint32_t checksum = crc32c::Value("abc\n");
  files_.Put("p.irpack", PackOf("abc\n", checksum));
  EXPECT_EQ(ReadThrough("p.irpack/a.ir"), "abc\n");
  files_.Put("p.irpack", PackOf("abc\n", checksum ^ 1U));
  EXPECT_THAT(dumps_.OpenForRead("p.irpack/a.ir").error(),
              IsStatus(StatusCode::kDataLoss, "are not those that were packed"));
}

// So that only its time tells.
TEST_F(PackTest, APackThatIsReplacedByOneOfItsSizeIsReadAnew) {
  std::map<std::size_t, std::string> lines;  // By the size of their packs.
  for (char letter = 'a';; ++letter) {
    ASSERT_LE(letter, 'z') << "no two packs have one size";
    const std::string line = std::string("ab") + letter + "\n";
    const std::string pack = PackOf(line, crc32c::Value(line));
    const auto [same, first] = lines.emplace(pack.size(), line);
    if (first) continue;
    files_.Put("p.irpack", PackOf(same->second, crc32c::Value(same->second)));
    EXPECT_EQ(ReadThrough("p.irpack/a.ir"), same->second);
    files_.Put("p.irpack", pack);
    EXPECT_EQ(ReadThrough("p.irpack/a.ir"), line);
    return;
  }
}

TEST_F(PackTest, LinesThatRepeatAreStoredOnce) {
  const std::string dump = SmallDump("Add ReLU Tanh Cast Mul Sub Div Exp Log Neg");
  for (int i = 10; i < 200; ++i) {
    std::string name = "graphs/opt_pass_0_p_00";
    name += std::to_string(i);
    files_.Put(name, dump);
  }
  const PackStatistics packed = Pack();
  EXPECT_GE(packed.bytes / packed.packed_bytes, 40);
}

TEST_F(PackTest, LongLinesBinaryFilesAndManyBlocksComeBack) {
  std::string binary;
  std::uint32_t state = 1;
  for (int i = 0; i < 5'000'000; ++i) {
    state = state * 1664525U + 1013904223U;
    binary += static_cast<char>(state >> 24U);
  }
  files_.Put("graphs/binary.pb", binary);
  files_.Put("graphs/line.pb", std::string(1'000'000, 'x'));
  Pack();
  EXPECT_TRUE(ReadThrough("p.irpack/binary.pb") == binary);
  EXPECT_TRUE(ReadThrough("p.irpack/line.pb") == std::string(1'000'000, 'x'));
}

TEST_F(PackTest, TheCorpusIsTheSameInAPack) {
  const testing::TempDir dir;
  const std::string folder = testing::CorpusPath("ir");
  const std::string pack = dir.File("corpus.irpack");
  ASSERT_THAT(WritePack(FileSystem::Local(), folder, pack, {}), IsOk());
  std::size_t compared = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const std::string name = entry.path().string().substr(folder.size());
    const auto file = LocalDumps().OpenForRead(pack + name);
    ASSERT_THAT(file, IsOk());
    std::string bytes(*(*file)->Size(), '\0');
    ASSERT_EQ((*file)->ReadAt(0, bytes), bytes.size());
    EXPECT_TRUE(bytes == testing::ReadFileOrDie(entry.path().string())) << name;
    ++compared;
  }
  EXPECT_GE(compared, 60);
}

TEST_F(PackTest, TheNameMustSayWhatItIs) {
  EXPECT_THAT(WritePack(files_, "graphs", "p.zip", {}).error(),
              IsStatus(StatusCode::kInvalidArgument, "p.zip must end in .irpack"));
}

TEST_F(PackTest, APackInItsFolderIsNotInItself) {
  ASSERT_THAT(WritePack(files_, "graphs", "graphs/p.irpack", {}), IsOk());
  const auto again = WritePack(files_, "graphs", "graphs/p.irpack", {});
  ASSERT_THAT(again, IsOk());
  EXPECT_EQ(again->files, 4);
}

TEST_F(PackTest, AFailureOfAnyCallLeavesThePackOfBeforeAndNothingElse) {
  Pack();
  const std::string before = files_.Get("p.irpack");
  files_.Put("graphs/02_c_0002.ir", SmallDump("Mul"));
  testing::FaultyFileSystem faulty(files_);
  for (std::uint64_t call = 1;; ++call) {
    const std::uint64_t fired = faulty.fired();
    faulty.FailCall(call, StatusCode::kResourceExhausted);
    const auto packed = WritePack(faulty, "graphs", "p.irpack", {});
    faulty.Heal();
    if (faulty.fired() == fired) {
      EXPECT_GE(call, 20);
      return;
    }
    EXPECT_THAT(packed.error(), IsStatus(StatusCode::kResourceExhausted, "")) << call;
    EXPECT_EQ(files_.Get("p.irpack"), before) << call;
    EXPECT_FALSE(files_.Exists("p.irpack.tmp")) << call;
  }
}

TEST_F(PackTest, DamageIsAnErrorOrChangesNothing) {
  Pack();
  const std::string sound = files_.Get("p.irpack");
  std::size_t refused = 0;
  for (std::size_t i = 0; i < sound.size(); ++i) {
    std::string damaged = sound;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x41);
    files_.Put("d.irpack", damaged);
    for (const char* name : {"00_a_0000.ir", "01_b_0001.ir"}) {
      const auto file = dumps_.OpenForRead("d.irpack/" + std::string(name));
      if (file) {
        EXPECT_EQ(ReadThrough("d.irpack/" + std::string(name)),
                  files_.Get("graphs/" + std::string(name)));
      } else {
        ++refused;
      }
    }
  }
  EXPECT_GE(refused, sound.size());
}

TEST_F(PackTest, APackThatIsCutOffIsAnError) {
  Pack();
  const std::string sound = files_.Get("p.irpack");
  for (std::size_t size = 0; size < sound.size(); ++size) {
    files_.Put("d.irpack", sound.substr(0, size));
    EXPECT_THAT(dumps_.Stat("d.irpack").error(), IsStatus(StatusCode::kDataLoss, "d.irpack"));
  }
}

TEST_F(PackTest, ACompressedDumpIsReadAsAPlainOne) {
  files_.Put("graphs/02_c_0002.ir.gz", Gzip(SmallDump("Mul")));
  EXPECT_EQ(ReadThrough("graphs/02_c_0002.ir.gz"), SmallDump("Mul"));
  Pack();
  EXPECT_EQ(ReadThrough("p.irpack/02_c_0002.ir.gz"), SmallDump("Mul"));
  files_.Put("graphs/03_d_0003.ir.gz", "no gzip file");
  EXPECT_THAT(ReadIr(dumps_, "graphs/03_d_0003.ir.gz").error(),
              IsStatus(StatusCode::kDataLoss, "graphs/03_d_0003.ir.gz"));
}

TEST_F(PackTest, WhatIsUncompressedIsLimited) {
  const std::string zeros(8'000'000, '\0');
  EXPECT_EQ(Gunzip(Gzip(zeros), zeros.size()), zeros);
  EXPECT_THAT(Gunzip(Gzip(zeros), zeros.size() - 1).error(), IsStatus(StatusCode::kDataLoss, ""));
  EXPECT_EQ(Inflate(Deflate(zeros), zeros.size()), zeros);
  EXPECT_FALSE(Inflate(Deflate(zeros), zeros.size() + 1));
  EXPECT_FALSE(Inflate(Deflate("abc") + "d", 3)) << "bytes behind the end";
}

TEST_F(PackTest, AnonymousLeavesFilesLinesAndCode) {
  Anonymizer anonymizer;
  EXPECT_EQ(anonymizer.Replace("      # In file /home/ann/nets.py:147, 8~56/  self.f(x)/\n"
                               "# In file /opt/lib/layer.py:1~2, 0~9/def f(x):/\n"
                               "      # inlined:In file /home/ann/main.py:3, 0~4/f()/\n"),
            "      # In file /source1/nets.py:147, 8~56/  self.f(x)/\n"
            "# In file /source2/layer.py:1~2, 0~9/def f(x):/\n"
            "      # inlined:In file /source1/main.py:3, 0~4/f()/\n");
  EXPECT_EQ(anonymizer.Replace("  File \"/home/ann/main.py\", line 3, in f"),
            "  File \"/source1/main.py\", line 3, in f");
  EXPECT_EQ(anonymizer.Replace("  %0(a) = Div(%1, %2)\n\n"), "  %0(a) = Div(%1, %2)\n\n");
}

TEST_F(PackTest, AnAnonymousPackHasNoDirectories) {
  const std::string path = testing::CorpusPath("ir/mlp_level1/20_validate_0074.ir");
  const std::string dump = testing::ReadFileOrDie(path);
  ASSERT_NE(dump.find("/home/user"), std::string::npos);
  files_.Put("graphs/20_validate_0074.ir", dump);
  Pack({.anonymous = true});
  const std::string packed = ReadThrough("p.irpack/20_validate_0074.ir");
  EXPECT_EQ(packed.find("/home/user"), std::string::npos);
  const auto module = ReadIr(dumps_, "p.irpack/20_validate_0074.ir");
  ASSERT_THAT(module, IsOk());
  EXPECT_EQ(module->problem_count, 0);
  EXPECT_EQ(FiguresOf(*module), FiguresOf(*ParseIr(dump)));
}

}  // namespace
}  // namespace sightline::ir
