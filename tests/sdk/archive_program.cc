// A program that links libsightline.a, and beside it Protocol Buffers with a copy of the schemas
// that are in the archive, zlib and SQLite, each of another build. usage: sdk_archive_program
// DIRECTORY
#include <sqlite3.h>
#include <zlib.h>

#include <cstdio>
#include <string>
#include <vector>

#include "expect.h"
#include "sightline.hpp"
#include "sightline/proto/mindspore_lineage.pb.h"

namespace {

namespace sdk = sightline::sdk;

// The message is made by this program's Protocol Buffers, and checked by the archive's.
void RecordLineageAndPicture(const std::string& directory) {
  sightline::mindspore::TrainLineage lineage;
  lineage.mutable_algorithm()->set_network("LeNet5");
  lineage.mutable_hyper_parameters()->set_optimizer("Momentum");
  const std::string message = lineage.SerializeAsString();
  sdk::Recorder recorder(directory);
  EXPECT(recorder.Add(0, sdk::Message(SIGHTLINE_TRAIN_LINEAGE, message)) == SIGHTLINE_OK);
  const std::vector<unsigned char> pixels(64 * 64, 7);  // A PNG: zlib's work.
  EXPECT(recorder.Add(1, sdk::Image("picture", pixels.data(), {1, 1, 64, 64})) == SIGHTLINE_OK);
  EXPECT(recorder.Add(1, "loss", 0.5) == SIGHTLINE_OK);
  recorder.Close();
  EXPECT(sdk::Run(directory).Read("loss").values.front() == 0.5);
}

void CompressBesideIt() {
  const std::vector<Bytef> bytes(1000, 7);
  std::vector<Bytef> packed(compressBound(1000));
  uLongf size = packed.size();
  EXPECT(compress(packed.data(), &size, bytes.data(), 1000) == Z_OK);
  std::vector<Bytef> unpacked(1000);
  uLongf unpacked_size = 1000;
  EXPECT(uncompress(unpacked.data(), &unpacked_size, packed.data(), size) == Z_OK);
  EXPECT(unpacked == bytes);
}

void QueryBesideIt() {
  sqlite3* database = nullptr;
  EXPECT(sqlite3_open(":memory:", &database) == SQLITE_OK);
  EXPECT(sqlite3_exec(database, "create table t(a); insert into t values (1)", nullptr, nullptr,
                      nullptr) == SQLITE_OK);
  EXPECT(sqlite3_total_changes(database) == 1);
  sqlite3_close(database);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    RecordLineageAndPicture(argv[1]);
  } catch (const sdk::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  CompressBesideIt();
  QueryBesideIt();
  return failures == 0 ? 0 : 1;
}
