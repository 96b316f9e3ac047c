#include "sightline/export/runs/array_sink.h"

#include <string_view>
#include <utility>

#include "sightline/base/compress/zip_writer.h"
#include "sightline/export/runs/buffered_file.h"
#include "sightline/recorder/tensor/npy.h"
#include "sightline/recorder/tensor/npy_header.h"

namespace sightline {
namespace {

class NpyFolder final : public ArraySink {
 public:
  NpyFolder(FileSystem& file_system, std::string folder)
      : file_system_(file_system), folder_(std::move(folder)) {}

  Status Put(const std::string& name, const TensorView& array) override {
    const std::string path = JoinPath(folder_, name + ".npy");
    SIGHTLINE_RETURN_IF_ERROR(file_system_.CreateDirectories(DirectoryOf(path)));
    return WriteNpy(file_system_, path, array);
  }
  Status PutParts(const std::string& name, const std::vector<std::int64_t>& shape,
                  const Parts& parts) override {
    const std::string path = JoinPath(folder_, name + ".npy");
    SIGHTLINE_RETURN_IF_ERROR(file_system_.CreateDirectories(DirectoryOf(path)));
    SIGHTLINE_ASSIGN_OR_RETURN(auto file, file_system_.OpenForWrite(path, OpenMode::kTruncate));
    BufferedFile out(std::move(file));
    out.Append(FormatNpyHeader(DType::kUint8, shape));
    Status whole = parts([&](std::string_view bytes) { out.Append(bytes); });
    const Status closed = out.Close();
    if (whole.ok()) whole = closed;
    if (!whole.ok()) (void)file_system_.Remove(path);
    return whole;
  }
  Status Close() override { return {}; }

 private:
  FileSystem& file_system_;
  const std::string folder_;
};

class NpzFile final : public ArraySink {
 public:
  explicit NpzFile(std::unique_ptr<WritableFile> file) : out_(std::move(file)) {}

  Status Put(const std::string& name, const TensorView& array) override {
    SIGHTLINE_ASSIGN_OR_RETURN(const std::string bytes, EncodeNpy(array));
    zip_.Add(name + ".npy", bytes);
    return out_.status();
  }
  Status PutParts(const std::string& name, const std::vector<std::int64_t>& shape,
                  const Parts& parts) override {
    const std::string header = FormatNpyHeader(DType::kUint8, shape);
    SIGHTLINE_RETURN_IF_ERROR(zip_.AddParts(name + ".npy", [&](const auto& append) {
      append(header);
      return parts(append);
    }));
    return out_.status();
  }
  Status Close() override {
    zip_.Finish();
    return out_.Close();
  }

 private:
  BufferedFile out_;
  ZipWriter zip_{[this](std::string_view bytes) { out_.Append(bytes); }};
};

}  // namespace

std::unique_ptr<ArraySink> MakeNpyFolder(FileSystem& file_system, std::string folder) {
  return std::make_unique<NpyFolder>(file_system, std::move(folder));
}

std::unique_ptr<ArraySink> MakeNpzFile(std::unique_ptr<WritableFile> file) {
  return std::make_unique<NpzFile>(std::move(file));
}

}  // namespace sightline
