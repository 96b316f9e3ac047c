#include "sightline/ir/dump/dump_store.h"

#include "sightline/base/compress/gzip.h"
#include "sightline/base/crc32c.h"
#include "sightline/base/replace_file.h"
#include "sightline/ir/model/noise.h"
#include "sightline/ir/model/text_hash.h"

namespace sightline::ir {
namespace {

// Readers of the folder skip unfinished files, because this is not the name of a dump.
constexpr char kUnfinished[] = ".unfinished";

}  // namespace

Status DumpStore::MakeFolder(const std::string& path) {
  if (made_.contains(path)) return {};
  SIGHTLINE_RETURN_IF_ERROR(files_.CreateDirectories(path));
  made_.insert(path);
  return {};
}

Status DumpStore::Link(const std::string& from, const std::string& to) {
  Status status = files_.Link(from, to);
  if (status.code() != StatusCode::kAlreadyExists) return status;
  // An earlier run into this folder left it.
  SIGHTLINE_RETURN_IF_ERROR(files_.Remove(to));
  return files_.Link(from, to);
}

Status DumpStore::Write(const std::string& path, std::string_view bytes) {
  return ReplaceFile(files_, path, path + kUnfinished,
                     [bytes](WritableFile& out) { return out.WriteAt(0, bytes); });
}

Status DumpStore::Put(const std::string& name, std::string_view text, bool compress) {
  const std::string path = JoinPath(folder_, name) + (compress ? ".gz" : "");
  const std::string folder = DirectoryOf(path);
  SIGHTLINE_RETURN_IF_ERROR(MakeFolder(folder));
  WithoutAddresses(text, without_addresses_);
  const Key key{HashText(without_addresses_), crc32c::Value(without_addresses_),
                without_addresses_.size(), compress};
  const auto [known, added] = stored_.try_emplace(key);
  if (!added && Link(known->second, path).ok()) {
    ++counters_.links;
    return {};
  }
  std::string packed;
  std::string_view bytes = text;
  if (compress) {
    packed = Gzip(text);
    bytes = packed;
  }
  Status status = Write(path, bytes);
  // The folder may have been removed by now.
  if (status.code() == StatusCode::kNotFound) {
    made_.clear();
    status = MakeFolder(folder);
    if (status.ok()) status = Write(path, bytes);
  }
  if (!status.ok()) {
    if (added) stored_.erase(known);
    return status;
  }
  known->second = path;
  ++counters_.files;
  counters_.bytes += bytes.size();
  return {};
}

}  // namespace sightline::ir
