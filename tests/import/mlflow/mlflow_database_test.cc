// MLflow's databases: a real one, and made ones that are foreign, old, damaged, forged or in use.
#include "sightline/import/mlflow/mlflow_database.h"

#include <filesystem>

#include "sightline/base/compress/gzip.h"
#include "sightline/base/importing/read_only_file_system.h"
#include "sightline/tests/import/mlflow/imported_folder.h"
#include "sightline/tests/support/made_database.h"

namespace sightline {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::MadeDatabase;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

// The tables and columns that are needed, of MLflow's schema, with one run.
constexpr char kOneRun[] = R"(
CREATE TABLE alembic_version (version_num TEXT);
INSERT INTO alembic_version VALUES ('f4a9b2c7d1e6');
CREATE TABLE experiments (experiment_id INTEGER, name TEXT, lifecycle_stage TEXT);
CREATE TABLE runs (run_uuid TEXT, name TEXT, user_id TEXT, status TEXT, start_time BIGINT,
  end_time BIGINT, lifecycle_stage TEXT, artifact_uri TEXT, experiment_id INTEGER);
CREATE TABLE metrics (key TEXT, value FLOAT, timestamp BIGINT, run_uuid TEXT, step BIGINT,
  is_nan BOOLEAN);
CREATE TABLE params (key TEXT, value TEXT, run_uuid TEXT);
CREATE TABLE tags (key TEXT, value TEXT, run_uuid TEXT);
INSERT INTO experiments VALUES (1, 'e', 'active');
INSERT INTO runs VALUES ('r1', 'run', 'u', 'FINISHED', 1000, 9000, 'active', '', 1);
INSERT INTO metrics VALUES ('loss', 0.5, 2000, 'r1', 1, 0);
)";

class MlflowDatabase : public testing::ImportedFolder {
 protected:
  std::string Path() const { return dir_.File("mlflow.db"); }
  Result<ImportReport> Import() const { return ImportMlflowDatabase(Path(), Out()); }
  Result<ImportReport> ImportSql(const std::string& more, const std::string& base = kOneRun) const {
    testing::WriteFileOrDie(Path(), MadeDatabase(base + more));
    return Import();
  }
  ImportReport ImportCorpus() const {
    const auto bytes =
        Gunzip(testing::ReadFileOrDie(testing::CorpusPath("mlflow/mlflow.db.gz")), 4 << 20);
    EXPECT_THAT(bytes, IsOk());
    testing::WriteFileOrDie(Path(), *bytes);
    auto report = Import();
    EXPECT_THAT(report, IsOk());
    return report ? *std::move(report) : ImportReport();
  }
  // The error of an import, which names the file.
  std::string ErrorOf(const Result<ImportReport>& report) const {
    if (report) return "no error";
    EXPECT_THAT(std::string(report.error().message()), HasSubstr(Path()));
    return std::string(report.error().message());
  }
};

TEST_F(MlflowDatabase, EveryPointIsTheOneThatWasLogged) {
  const ImportReport report = ImportCorpus();
  EXPECT_EQ(report.runs, 4U);
  EXPECT_EQ(report.points, 92U);
  ExpectTheLoggedPoints();
}

TEST_F(MlflowDatabase, ParametersTagsAndFactsAreLineage) {
  const ImportReport report = ImportCorpus();
  EXPECT_EQ(report.parameters, 11U);
  const auto run = Open("digits/first run");
  ASSERT_NE(run, nullptr);
  const RunLineage& lineage = run->lineage();
  EXPECT_EQ(lineage.at("lr"), LineageValue(0.1));
  EXPECT_EQ(lineage.at("eps"), LineageValue(1e-8));
  EXPECT_EQ(lineage.at("batch_size"), LineageValue(64.0));
  EXPECT_EQ(lineage.at("optimizer/name"), LineageValue("adam"));
  EXPECT_EQ(lineage.at("code"), LineageValue("007"));
  EXPECT_EQ(lineage.at("seed"), LineageValue("1152921504606846976"));
  EXPECT_EQ(lineage.at("big"), LineageValue("10000000000000000000000000"));
  EXPECT_EQ(lineage.at("tags.team"), LineageValue("vision"));
  EXPECT_EQ(lineage.at("run.project"), LineageValue("digits"));
  EXPECT_EQ(lineage.at("run.name"), LineageValue("first run"));
  EXPECT_EQ(lineage.at("run.user"), LineageValue("user1"));
  EXPECT_EQ(lineage.at("run.source"), LineageValue("train.py"));
  EXPECT_EQ(lineage.at("run.notes"), LineageValue("a note"));
  EXPECT_EQ(lineage.at("run.git.branch"), LineageValue("main"));
  EXPECT_EQ(lineage.at("run.git.remote"), LineageValue("https://***@example.com/digits.git"));
  EXPECT_EQ(lineage.at("run.outcome"), LineageValue("finished"));
  EXPECT_EQ(Open("digits/first run-2")->lineage().at("run.outcome"), LineageValue("failed"));
  EXPECT_EQ(Open("digits/first run-2")->lineage().at("run.parent"), lineage.at("run.id"));
  EXPECT_EQ(Open("digits/a_b ü")->lineage().at("run.outcome"), LineageValue("killed"));
  EXPECT_EQ(Open("words/still open")->lineage().at("run.outcome"), LineageValue("running"));
}

TEST_F(MlflowDatabase, ARunLastsFromItsStartToItsEnd) {
  ImportCorpus();
  const auto run = Open("digits/first run");
  ASSERT_NE(run, nullptr);
  EXPECT_EQ(run->first_wall_time(), 1'790'000'000.0);
  EXPECT_EQ(run->last_wall_time(), 1'790'000'020.0);
  EXPECT_EQ(run->State(), RunState::kFinished);
}

TEST_F(MlflowDatabase, WhatIsDeletedOrNotReadIsCounted) {
  const ImportReport report = ImportCorpus();
  EXPECT_THAT(report.left_out, UnorderedElementsAre(Pair("deleted run", 1U),
                                                    Pair("run of a deleted experiment", 1U)));
  EXPECT_THAT(report.unread,
              UnorderedElementsAre(Pair("datasets", 1U), Pair("inputs", 1U), Pair("input_tags", 1U),
                                   Pair("tag of MLflow's own", 1U)));
  EXPECT_THAT(report.notes, IsEmpty());
  EXPECT_FALSE(std::filesystem::exists(Out() + "/gone"));
}

TEST_F(MlflowDatabase, RowsOfNoRunAndOfAnotherFormAreCounted) {
  const auto report = ImportSql(
      "INSERT INTO metrics VALUES ('a', 1, 1, 'r2', 1, 0), ('b', 'text', 1, 'r1', 1, 0),"
      "  ('c', 1, NULL, 'r1', 1, 0), ('d', 1, 1, 'r1', x'00', 0);"
      "INSERT INTO params VALUES ('p', '1', 'r2');");
  ASSERT_THAT(report, IsOk());
  EXPECT_EQ(report->points, 1U);
  EXPECT_THAT(report->unread,
              UnorderedElementsAre(Pair("metric of another form", 3U), Pair("row of no run", 2U)));
}

TEST_F(MlflowDatabase, NamesThatAreNotUtf8AreReplaced) {
  ASSERT_THAT(ImportSql("INSERT INTO metrics VALUES (CAST(x'61ff' AS TEXT), 1, 1, 'r1', 1, 0);"
                        "INSERT INTO params VALUES (CAST(x'62ff' AS TEXT), 'v', 'r1');"),
              IsOk());
  const auto run = Open("e/run");
  ASSERT_NE(run, nullptr);
  EXPECT_NE(run->Find(ContentKind::kScalar, "a\xef\xbf\xbd"), nullptr);
  EXPECT_TRUE(run->lineage().contains("b\xef\xbf\xbd"));
}

TEST_F(MlflowDatabase, AnotherRevisionIsReadAndNoted) {
  const auto report = ImportSql("UPDATE alembic_version SET version_num = 'older';");
  ASSERT_THAT(report, IsOk());
  EXPECT_EQ(report->points, 1U);
  EXPECT_THAT(report->notes, ElementsAre(HasSubstr("\"older\"")));
}

TEST_F(MlflowDatabase, AForeignDatabaseIsRefused) {
  EXPECT_THAT(ErrorOf(ImportSql("", "CREATE TABLE cookies (host, name);")),
              HasSubstr("not a database of MLflow's: it has no table experiments"));
}

TEST_F(MlflowDatabase, ASchemaWithoutANeededColumnIsRefused) {
  EXPECT_THAT(ErrorOf(ImportSql("ALTER TABLE metrics DROP COLUMN is_nan;")),
              HasSubstr("the table metrics has no column is_nan"));
}

TEST_F(MlflowDatabase, WhatIsNoDatabaseIsRefused) {
  testing::WriteFileOrDie(Path(), std::string(4096, 'x'));
  EXPECT_THAT(ErrorOf(Import()), HasSubstr("not an SQLite database"));
  std::filesystem::remove(Path());
  EXPECT_EQ(Import().error().code(), StatusCode::kNotFound);
}

TEST_F(MlflowDatabase, ADatabaseThatIsBeingWrittenIsRefused) {
  ASSERT_THAT(ImportSql(""), IsOk());
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(Path().c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other,
                         "PRAGMA cache_spill=1; PRAGMA cache_size=1; BEGIN EXCLUSIVE;"
                         "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c"
                         "  WHERE n < 20000)"
                         "INSERT INTO metrics SELECT 'x', 1, n, 'r1', n, 0 FROM c",
                         nullptr, nullptr, nullptr),
            SQLITE_OK);
  EXPECT_THAT(ErrorOf(Import()), HasSubstr("another program is writing it"));
  sqlite3_close(other);
}

// Somebody appends to the file after it was opened.
class GrowingFile final : public ReadOnlyFileSystem {
 public:
  Result<std::unique_ptr<ReadableFile>> OpenForRead(const std::string& path) override {
    auto file = FileSystem::Local().OpenForRead(path);
    if (file && path.ends_with(".db")) {
      testing::WriteFileOrDie(path, testing::ReadFileOrDie(path) + std::string(4096, '\0'));
    }
    return file;
  }
  Result<FileInfo> Stat(const std::string& path) override { return FileSystem::Local().Stat(path); }
  Result<std::vector<std::string>> List(const std::string& directory) override {
    return FileSystem::Local().List(directory);
  }
  Result<std::string> MappablePath(const std::string& path) override { return path; }
};

TEST_F(MlflowDatabase, ADatabaseThatChangesWhileItIsReadIsRefused) {
  ASSERT_THAT(ImportSql(""), IsOk());
  GrowingFile files;
  const auto report = ImportMlflowDatabase(Path(), dir_.File("out2"), files);
  EXPECT_THAT(ErrorOf(report), HasSubstr("it changed while it was read"));
  EXPECT_FALSE(std::filesystem::exists(dir_.File("out2")));
}

TEST_F(MlflowDatabase, ValuesInAWriteAheadLogAreNotForgotten) {
  ASSERT_THAT(ImportSql(""), IsOk());
  testing::WriteFileOrDie(Path() + "-wal", "changes");
  EXPECT_THAT(ErrorOf(Import()), HasSubstr("wal_checkpoint"));
}

TEST_F(MlflowDatabase, DamageOfAnyByteIsAnErrorOrReads) {
  const std::string whole = MadeDatabase(kOneRun);
  for (std::size_t at = 0; at < whole.size(); at += 997) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    testing::WriteFileOrDie(Path(), damaged);
    const auto report = ImportMlflowDatabase(Path(), dir_.File("out" + std::to_string(at)));
    EXPECT_LE(report ? report->points : 0, 1U);
  }
}

TEST_F(MlflowDatabase, ACutDatabaseIsDamaged) {
  const std::string whole =
      MadeDatabase(std::string(kOneRun) +
                   "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c"
                   "  WHERE n < 2000)"
                   "INSERT INTO metrics SELECT 'x', 1, n, 'r1', n, 0 FROM c");
  testing::WriteFileOrDie(Path(), whole.substr(0, whole.size() / 2));
  const auto report = Import();
  EXPECT_THAT(ErrorOf(report), HasSubstr("malformed"));
  EXPECT_EQ(report.error().code(), StatusCode::kDataLoss);
}

}  // namespace
}  // namespace sightline
