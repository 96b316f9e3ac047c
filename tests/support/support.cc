#include "sightline/tests/support/support.h"

#include <filesystem>
#include <fstream>
#include <sstream>

namespace sightline::testing {

std::string CorpusPath(std::string_view relative) {
  return std::string(SIGHTLINE_SOURCE_DIR "/tests/corpus/") + std::string(relative);
}

std::string SharedPath(std::string_view relative) {
  return std::string(SIGHTLINE_SOURCE_DIR "/../shared/") + std::string(relative);
}

std::string ReadFileOrDie(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in.good()) << "cannot open " << path;
  std::ostringstream bytes;
  bytes << in.rdbuf();
  return std::move(bytes).str();
}

void WriteFileOrDie(const std::string& path, std::string_view bytes) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  EXPECT_TRUE(out.good()) << "cannot write " << path;
}

TempDir::TempDir() {
  std::string pattern = (std::filesystem::temp_directory_path() / "sightline_test_XXXXXX").string();
  const char* made = mkdtemp(pattern.data());
  EXPECT_NE(made, nullptr) << "cannot make a temporary directory like " << pattern;
  path_ = pattern;
}

TempDir::~TempDir() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace sightline::testing
