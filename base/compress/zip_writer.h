// ZipWriter: a zip archive of files that are stored as they are (PKWARE's APPNOTE 6.3, with the
// ZIP64 extension of 4.5.3), as Python's zipfile and NumPy read it. One thread.
//
//   ZipWriter zip([&](std::string_view bytes) { archive += bytes; });
//   zip.Add("x.npy", npy);
//   zip.Finish();
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/status.h"

namespace sightline {

class ZipWriter {
 public:
  // `append` gets the bytes of the archive in order.
  explicit ZipWriter(std::function<void(std::string_view)> append);

  // `name`: UTF-8, at most 65,535 bytes. Every file has the time 1980-01-01, so that an archive
  // does not depend on the clock.
  void Add(std::string name, std::string_view bytes);
  // The same for bytes that come in parts: `parts` is called twice and gives the same bytes each
  // time. Nothing is appended if its first call returns an error.
  using Parts = std::function<Status(const std::function<void(std::string_view)>&)>;
  Status AddParts(std::string name, const Parts& parts);
  // Appends the directory of the archive. It is the last call.
  void Finish();

 private:
  struct Member {
    std::string name;
    std::uint64_t size = 0;
    std::uint64_t offset = 0;
    std::uint32_t crc = 0;
  };

  void Append(std::string_view bytes);
  void AppendHeader(Member member);
  void AppendEnd(std::uint64_t begin, std::uint64_t end);
  static void AppendCommon(const Member& member, std::string& header);

  std::function<void(std::string_view)> append_;
  std::uint64_t size_ = 0;
  std::vector<Member> members_;
};

}  // namespace sightline
