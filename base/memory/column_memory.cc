#include "sightline/base/memory/column_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <new>
#include <set>
#include <span>
#include <thread>
#include <utility>

#include "sightline/base/background_thread.h"
#include "sightline/base/file_system.h"
#include "sightline/base/memory/memory_bound.h"

namespace sightline {
namespace {

constexpr std::size_t kAlignment = 16;
constexpr std::size_t kChunkBytes = std::size_t{32} << 20U;
// Columns of this size go to the file; small ones do, too, once they fill their share of the
// memory.
constexpr std::size_t kLarge = std::size_t{64} << 10U;
constexpr std::size_t kSmall = 256;
constexpr std::uint64_t kHeapShare = 8;
constexpr std::size_t kHugePage = std::size_t{2} << 20U;
constexpr std::size_t kHuge = 2 * kHugePage;
// The share of the limit that must have been added before pages are released again, since the rest
// may belong to no column.
constexpr std::uint64_t kAgainShare = 16;

std::size_t RoundUp(std::size_t size, std::size_t to) { return (size + to - 1) / to * to; }

std::atomic<std::uint64_t> heap_bytes{0};

}  // namespace

class SpillChunk {
 public:
  SpillChunk(std::shared_ptr<SpillFile> file, char* data, std::size_t size, std::uint64_t offset)
      : file_(std::move(file)), data_(data), size_(size), offset_(offset) {}
  ~SpillChunk();
  SpillChunk(const SpillChunk&) = delete;
  SpillChunk& operator=(const SpillChunk&) = delete;

  // Null where it is full.
  char* Take(std::size_t size) {
    if (size > size_ - used_) return nullptr;
    used_ += size;
    return data_ + used_ - size;
  }
  bool Read(const char* from, std::span<char> into) const;
  void LetGo() const { madvise(data_, size_, MADV_DONTNEED); }  // The file keeps the bytes.
  std::size_t size() const { return size_; }
  std::uint64_t offset() const { return offset_; }

 private:
  std::shared_ptr<SpillFile> file_;
  char* data_;
  std::size_t size_;
  std::uint64_t offset_;
  std::size_t used_ = 0;
};

class SpillFile : public std::enable_shared_from_this<SpillFile> {
 public:
  SpillFile(int fd, int statm, std::uint64_t limit, std::chrono::milliseconds look)
      : fd_(fd), statm_(statm), limit_(limit), look_(look) {}
  ~SpillFile() {
    close(fd_);
    close(statm_);
  }
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;

  Status Start() {
    SIGHTLINE_ASSIGN_OR_RETURN(keeper_,
                               StartBackgroundThread("sl-memory", [this] { KeepLooking(); }));
    return {};
  }
  void Stop() {
    std::shared_ptr<SpillChunk> last;  // Whose end takes the lock.
    {
      const std::lock_guard lock(mutex_);
      last.swap(current_);
      stopping_ = true;
    }
    wake_.notify_all();
    keeper_.join();
  }

  std::uint64_t limit() const { return limit_; }

  bool Wants(std::size_t size) const {
    return size >= kLarge || (size >= kSmall && heap_bytes > limit_ / kHeapShare);
  }

  // Null where the disk is full, or the system gives no more mappings.
  char* Allocate(std::size_t size, std::shared_ptr<SpillChunk>& chunk) {
    size = RoundUp(size, kAlignment);
    std::shared_ptr<SpillChunk> full;  // Whose end takes the lock.
    const std::lock_guard lock(mutex_);
    if (stopping_) return nullptr;
    if (size > kChunkBytes / 4) {
      chunk = MakeChunk(RoundUp(size, kPage));
      return chunk == nullptr ? nullptr : chunk->Take(size);
    }
    char* data = current_ == nullptr ? nullptr : current_->Take(size);
    if (data == nullptr) {
      full = std::exchange(current_, MakeChunk(kChunkBytes));
      data = current_ == nullptr ? nullptr : current_->Take(size);
    }
    chunk = current_;
    return data;
  }

  void Forget(SpillChunk& chunk) {
    const std::lock_guard lock(mutex_);
    chunks_.erase(&chunk);
    spilled_ -= chunk.size();
    // Its room on the disk is given back; where the file system cannot do that, it stays taken.
    fallocate(fd_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(chunk.offset()),
              static_cast<off_t>(chunk.size()));
  }

  std::uint64_t spilled_bytes() const {
    const std::lock_guard lock(mutex_);
    return spilled_;
  }

  bool Read(std::uint64_t offset, std::span<char> into) const {
    return pread(fd_, into.data(), into.size(), static_cast<off_t>(offset)) ==
           static_cast<ssize_t>(into.size());
  }

  void KeepBelow() {  // Half of the limit.
    if (!IsDue()) return;
    const std::lock_guard lock(mutex_);  // The others wait, and bring nothing back meanwhile.
    if (!IsDue()) return;
    for (const SpillChunk* chunk : chunks_) chunk->LetGo();
    mark_ = MarkFrom(ResidentBytes());
  }

 private:
  static constexpr std::size_t kPage = std::size_t{64} << 10;  // A multiple of every page size.

  std::shared_ptr<SpillChunk> MakeChunk(std::size_t size) {
    // The room is taken first: a mapped page without any would end the process.
    const auto offset = static_cast<off_t>(end_);
    if (posix_fallocate(fd_, offset, static_cast<off_t>(size)) != 0) return nullptr;
    void* const data = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, offset);
    if (data == MAP_FAILED) return nullptr;
    auto chunk =
        std::make_shared<SpillChunk>(shared_from_this(), static_cast<char*>(data), size, end_);
    end_ += size;
    spilled_ += size;
    chunks_.insert(chunk.get());
    return chunk;
  }

  std::uint64_t ResidentBytes() const {
    char text[128] = {};
    unsigned long long pages = 0;
    if (pread(statm_, text, sizeof(text) - 1, 0) <= 0 || std::sscanf(text, "%*u %llu", &pages) != 1)
      return 0;
    return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  }

  std::uint64_t MarkFrom(std::uint64_t resident) const {
    return std::max(limit_ / 2, resident + limit_ / kAgainShare);
  }
  // The mark follows what is resident down: other memory may be free again.
  bool IsDue() {
    const std::uint64_t resident = ResidentBytes();
    if (resident >= mark_) return true;
    mark_ = std::min<std::uint64_t>(mark_, MarkFrom(resident));
    return false;
  }

  void KeepLooking() {
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, look_, [this] { return stopping_; })) {
      lock.unlock();
      KeepBelow();
      lock.lock();
    }
  }

  const int fd_;
  const int statm_;
  const std::uint64_t limit_;
  const std::chrono::milliseconds look_;
  // Resident bytes at which pages are released. The other half of the limit may be added between
  // two checks.
  std::atomic<std::uint64_t> mark_ = limit_ / 2;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::thread keeper_;
  std::uint64_t end_ = 0;
  std::uint64_t spilled_ = 0;
  std::set<SpillChunk*> chunks_;
  std::shared_ptr<SpillChunk> current_;
};

SpillChunk::~SpillChunk() {
  file_->Forget(*this);
  munmap(data_, size_);
}

bool SpillChunk::Read(const char* from, std::span<char> into) const {
  return file_->Read(offset_ + static_cast<std::uint64_t>(from - data_), into);
}

namespace {

std::atomic<bool> limited{false};
std::mutex limit_mutex;
std::shared_ptr<SpillFile> limit_file;  // Of the one MemoryLimit; read where `limited`.

std::shared_ptr<SpillFile> CurrentFile() {
  if (!limited) return nullptr;
  const std::lock_guard lock(limit_mutex);
  return limit_file;
}

// A file without a name, or -1.
int OpenNameless(const std::string& folder) {
  int fd = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0) return fd;
  std::string path = JoinPath(folder, "columns.XXXXXX");  // File systems without O_TMPFILE.
  fd = mkostemp(path.data(), O_CLOEXEC);
  if (fd >= 0) unlink(path.c_str());
  return fd;
}

}  // namespace

std::uint64_t MostInMemory(std::uint64_t bytes) {
  const auto file = CurrentFile();
  return file == nullptr ? UINT64_MAX : file->limit() / 2 / bytes;
}

ColumnBytes::ColumnBytes(std::size_t size, bool is_filled) {
  const auto file = CurrentFile();
  if (file != nullptr && file->Wants(size)) data_ = file->Allocate(size, chunk_);
  if (data_ != nullptr) return;
  chunk_.reset();
  heap_size_ = size;
  heap_bytes += size;
  is_huge_ = is_filled && size >= kHuge;
  if (!is_huge_) {
    data_ = static_cast<char*>(::operator new(size));
    return;
  }
  data_ = static_cast<char*>(::operator new (size, std::align_val_t{kHugePage}));
  madvise(data_, size / kHugePage * kHugePage, MADV_HUGEPAGE);
}

ColumnBytes::~ColumnBytes() {
  if (chunk_ != nullptr) return;
  if (is_huge_) {
    ::operator delete (data_, std::align_val_t{kHugePage});
  } else {
    ::operator delete(data_);
  }
  heap_bytes -= heap_size_;
}

bool ColumnBytes::ReadFar(std::size_t begin, std::span<char> into) const {
  return chunk_ != nullptr && chunk_->Read(data_ + begin, into);
}

namespace {

// The bytes before a column hold its ColumnBytes.
constexpr std::size_t kBefore = 64;
static_assert(sizeof(ColumnBytes) <= kBefore && kBefore % kAlignment == 0);

}  // namespace

char* NewColumn(std::size_t size) {
  ColumnBytes bytes(kBefore + size, /*is_filled=*/false);
  char* const data = bytes.data();
  new (data) ColumnBytes(std::move(bytes));
  return data + kBefore;
}

void DeleteColumn(char* column) {
  auto* const before = reinterpret_cast<ColumnBytes*>(column - kBefore);
  const ColumnBytes bytes(std::move(*before));
  before->~ColumnBytes();
}

Result<std::unique_ptr<MemoryLimit>> MemoryLimit::Set(std::uint64_t bytes,
                                                      const std::string& folder,
                                                      std::chrono::milliseconds look) {
  if (bytes < kLeast) {
    return Error(StatusCode::kInvalidArgument, "a memory limit of " + std::to_string(bytes) +
                                                   " bytes is too small; it must be at least " +
                                                   std::to_string(kLeast));
  }
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const int fd = OpenNameless(folder);
  if (fd < 0) return Error(ErrnoStatus(folder, errno));
  const int statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  auto file = std::make_shared<SpillFile>(fd, statm, bytes, look);
  if (statm < 0) return Error(ErrnoStatus("/proc/self/statm", errno));
  const std::lock_guard lock(limit_mutex);
  if (limit_file != nullptr)
    return Error(StatusCode::kFailedPrecondition, "this process has a memory limit already");
  SIGHTLINE_RETURN_IF_ERROR(file->Start());
  limit_file = file;
  limited = true;
  return std::unique_ptr<MemoryLimit>(new MemoryLimit(std::move(file)));
}

MemoryLimit::~MemoryLimit() {
  {
    const std::lock_guard lock(limit_mutex);
    limited = false;
    limit_file.reset();
  }
  file_->Stop();
}

void MemoryLimit::Keep() {
  if (const auto file = CurrentFile(); file != nullptr) file->KeepBelow();
}

std::uint64_t MemoryLimit::spilled_bytes() const { return file_->spilled_bytes(); }

}  // namespace sightline
