#include "sightline/export/runs/array_sink.h"

#include <zlib.h>

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "sightline/base/wire.h"
#include "sightline/export/runs/buffered_file.h"
#include "sightline/recorder/tensor/npy.h"

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
  Status Close() override { return {}; }

 private:
  FileSystem& file_system_;
  const std::string folder_;
};

// Little-endian fields of zip headers.
void Put16(std::string& out, unsigned value) {
  wire::AppendFixed(out, static_cast<std::uint16_t>(value));
}
void Put32(std::string& out, std::uint64_t value) {
  wire::AppendFixed(out, static_cast<std::uint32_t>(value));
}

constexpr std::uint64_t kMax32 = std::numeric_limits<std::uint32_t>::max();
constexpr unsigned kVersion = 45;  // The first with ZIP64.
constexpr unsigned kUtf8Names = 1U << 11U;
constexpr unsigned kDate = 1U << 5U | 1U;  // 1980-01-01: an export does not depend on the clock.
constexpr unsigned kZip64SizesBytes = 20;

class NpzFile final : public ArraySink {
 public:
  explicit NpzFile(std::unique_ptr<WritableFile> file) : out_(std::move(file)) {}

  Status Put(const std::string& name, const TensorView& array) override {
    SIGHTLINE_ASSIGN_OR_RETURN(const std::string bytes, EncodeNpy(array));
    Member member;
    member.name = name + ".npy";
    member.size = bytes.size();
    member.offset = out_.size();
    member.crc = static_cast<std::uint32_t>(
        crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
    std::string header;
    Put32(header, 0x04034b50);
    AppendCommon(member, kMax32, header);
    Put16(header, kZip64SizesBytes);
    header += member.name;
    Put16(header, 1);  // ZIP64: both sizes.
    Put16(header, 16);
    wire::AppendFixed(header, member.size);
    wire::AppendFixed(header, member.size);
    out_.Append(header);
    out_.Append(bytes);
    members_.push_back(std::move(member));
    return out_.status();
  }

  Status Close() override {
    const std::uint64_t begin = out_.size();
    for (const Member& member : members_) {
      std::string header;
      Put32(header, 0x02014b50);
      Put16(header, kVersion);
      AppendCommon(member, kMax32, header);
      Put16(header, 28);
      header.append(10, '\0');  // No comment, disk 0, no attributes.
      Put32(header, kMax32);
      header += member.name;
      Put16(header, 1);
      Put16(header, 24);
      wire::AppendFixed(header, member.size);
      wire::AppendFixed(header, member.size);
      wire::AppendFixed(header, member.offset);
      out_.Append(header);
    }
    AppendEnd(begin, out_.size());
    return out_.Close();
  }

 private:
  struct Member {
    std::string name;
    std::uint64_t size = 0;
    std::uint64_t offset = 0;
    std::uint32_t crc = 0;
  };

  // What both headers of a member have, up to the length of its name.
  static void AppendCommon(const Member& member, std::uint64_t size, std::string& header) {
    Put16(header, kVersion);
    Put16(header, kUtf8Names);
    Put16(header, 0);  // Stored.
    Put16(header, 0);  // Midnight.
    Put16(header, kDate);
    Put32(header, member.crc);
    Put32(header, size);  // In the ZIP64 field.
    Put32(header, size);
    Put16(header, static_cast<unsigned>(member.name.size()));
  }

  void AppendEnd(std::uint64_t begin, std::uint64_t end) {
    std::string record;
    Put32(record, 0x06064b50);  // ZIP64 end of central directory.
    wire::AppendFixed(record, std::uint64_t{44});
    Put16(record, kVersion);
    Put16(record, kVersion);
    Put32(record, 0);
    Put32(record, 0);
    wire::AppendFixed(record, static_cast<std::uint64_t>(members_.size()));
    wire::AppendFixed(record, static_cast<std::uint64_t>(members_.size()));
    wire::AppendFixed(record, end - begin);
    wire::AppendFixed(record, begin);
    Put32(record, 0x07064b50);  // Its locator.
    Put32(record, 0);
    wire::AppendFixed(record, end);
    Put32(record, 1);
    Put32(record, 0x06054b50);  // End of central directory; the numbers are in the above.
    Put16(record, 0);
    Put16(record, 0);
    Put16(record, 0xffff);
    Put16(record, 0xffff);
    Put32(record, kMax32);
    Put32(record, kMax32);
    Put16(record, 0);
    out_.Append(record);
  }

  BufferedFile out_;
  std::vector<Member> members_;
};

}  // namespace

std::unique_ptr<ArraySink> MakeNpyFolder(FileSystem& file_system, std::string folder) {
  return std::make_unique<NpyFolder>(file_system, std::move(folder));
}

std::unique_ptr<ArraySink> MakeNpzFile(std::unique_ptr<WritableFile> file) {
  return std::make_unique<NpzFile>(std::move(file));
}

}  // namespace sightline
