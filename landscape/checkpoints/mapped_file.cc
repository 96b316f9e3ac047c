#include "sightline/landscape/checkpoints/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace sightline::landscape {

Result<std::shared_ptr<const MappedFile>> MappedFile::Open(FileSystem& file_system,
                                                           const std::string& path) {
  SIGHTLINE_ASSIGN_OR_RETURN(const FileInfo info, file_system.Stat(path));
  if (info.is_directory)
    return Error(StatusCode::kInvalidArgument, path + " is a directory, not a file");
  auto file = std::shared_ptr<MappedFile>(new MappedFile());
  const auto real = file_system.MappablePath(path);
  if (!real) {
    SIGHTLINE_ASSIGN_OR_RETURN(const auto in, file_system.OpenForRead(path));
    SIGHTLINE_ASSIGN_OR_RETURN(const std::uint64_t size, in->Size());
    file->copy_.resize(size);
    SIGHTLINE_ASSIGN_OR_RETURN(const std::size_t got, in->ReadAt(0, file->copy_));
    file->copy_.resize(got);
    file->bytes_ = file->copy_;
    return file;
  }
  const int fd = open(real->c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return Error(ErrnoStatus("cannot open " + path, errno));
  struct stat opened {};
  if (fstat(fd, &opened) != 0 || !S_ISREG(opened.st_mode)) {
    close(fd);
    return Error(StatusCode::kInvalidArgument, path + " is not a regular file");
  }
  const auto size = static_cast<std::size_t>(opened.st_size);
  if (size != 0) {
    void* mapping = mmap(nullptr, size, PROT_READ, MAP_SHARED, fd, 0);
    if (mapping == MAP_FAILED) {
      const int error = errno;
      close(fd);
      return Error(ErrnoStatus("cannot map " + path, error));
    }
    file->mapping_ = mapping;
    file->bytes_ = {static_cast<const char*>(mapping), size};
  }
  close(fd);
  return file;
}

MappedFile::~MappedFile() {
  if (mapping_ != nullptr) munmap(mapping_, bytes_.size());
}

}  // namespace sightline::landscape
