#include "sightline/landscape/checkpoints/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <mutex>

#include "sightline/base/descriptor.h"

namespace sightline::landscape {

// The addresses of one mapping. The handler of SIGBUS may look at it at any moment, so it is never
// deleted, only used again.
struct MappedFile::Range {
  std::atomic<std::uintptr_t> begin = 0;  // 0: free.
  std::atomic<std::uintptr_t> end = 0;
  std::atomic<bool> shrank = false;
  Range* next = nullptr;
};

class MappedFile::Ranges {
 public:
  static Range* Add(void* mapping, std::size_t size) {
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    if (first == nullptr) Install();
    Range* range = first;
    while (range != nullptr && range->begin != 0) range = range->next;
    if (range == nullptr) {
      range = new Range;
      range->next = first;
      first = range;
    }
    const auto begin = reinterpret_cast<std::uintptr_t>(mapping);
    range->shrank = false;
    range->end = begin + size;
    range->begin = begin;
    return range;
  }

 private:
  static void Install() {
    struct sigaction action {};
    action.sa_sigaction = &OnFault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, &before);
  }

  // Puts zeros in place of the pages that the file does not have any more: the one that was asked
  // for, and all after it.
  static bool Mend(std::uintptr_t address) {
    for (Range* range = first; range != nullptr; range = range->next) {
      const std::uintptr_t begin = range->begin;
      const std::uintptr_t end = range->end;
      if (begin == 0 || address < begin || address >= end) continue;
      const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
      const std::uintptr_t from = address & ~(page - 1);
      void* const at = reinterpret_cast<void*>(from);  // NOLINT(performance-no-int-to-ptr)
      if (mmap(at, end - from, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != at)
        return false;
      range->shrank = true;
      return true;
    }
    return false;
  }

  static void OnFault(int signal, siginfo_t* info, void* context) {
    const int error = errno;
    const bool mended = Mend(reinterpret_cast<std::uintptr_t>(info->si_addr));
    errno = error;
    if (mended) return;
    if ((before.sa_flags & SA_SIGINFO) != 0) {
      before.sa_sigaction(signal, info, context);
    } else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
      before.sa_handler(signal);
    } else {
      sigaction(signal, &before, nullptr);  // The fault happens again, and ends the program.
      raise(signal);                        // If it was not a fault.
    }
  }

  // NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): a handler has no arguments.
  static inline std::atomic<Range*> first = nullptr;
  static inline struct sigaction before {};
  // NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)
};

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
  // Does not wait for somebody to write into a pipe of that name.
  const Descriptor fd(open(real->c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (fd.get() < 0) return Error(ErrnoStatus("cannot open " + path, errno));
  struct stat opened {};
  if (fstat(fd.get(), &opened) != 0 || !S_ISREG(opened.st_mode))
    return Error(StatusCode::kInvalidArgument, path + " is not a regular file");
  const auto size = static_cast<std::size_t>(opened.st_size);
  if (size != 0) {
    void* mapping = mmap(nullptr, size, PROT_READ, MAP_SHARED, fd.get(), 0);
    if (mapping == MAP_FAILED) return Error(ErrnoStatus("cannot map " + path, errno));
    file->range_ = Ranges::Add(mapping, size);
    file->bytes_ = {static_cast<const char*>(mapping), size};
  }
  return file;
}

MappedFile::~MappedFile() {
  if (range_ == nullptr) return;
  void* const mapping = const_cast<char*>(bytes_.data());
  range_->begin = 0;
  munmap(mapping, bytes_.size());
}

bool MappedFile::Shrank() const { return range_ != nullptr && range_->shrank; }

}  // namespace sightline::landscape
