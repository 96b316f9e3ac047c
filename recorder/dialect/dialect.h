// Dialect: the form of one kind of event file: its name, its first records and its events. Each
// sink has an instance of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/recorder/dialect/payload.h"
#include "sightline/recorder/dialect/prepared_event.h"

namespace sightline {

// The source of the names and the first records of a run's files.
struct RunIdentity {
  std::string session_id;
  std::string hostname;
  int rank = 0;
  int world_size = 1;
  int device_id = 0;
  // Unix seconds at opening, raised above the numbers of the files that were there.
  std::uint64_t opened_digits = 0;
  std::optional<std::int64_t> resume_from_step = std::nullopt;
  std::string continues_session = {};  // Its id; empty: none.
};

class Dialect {
 public:
  virtual ~Dialect() = default;

  virtual const std::string& name() const = 0;
  // The name of the file with the number `digits`.
  virtual std::string FileName(std::uint64_t digits) const = 0;
  // Whether the first file is created at the start; otherwise with its first event.
  virtual bool opens_at_once() const = 0;

  // The payloads of the records that a file begins with; may be empty. `segment`: which file of the
  // sink it is, from 1. `first_step`: the step of its first event; not used for segment 1.
  virtual std::vector<Payload> Header(double wall_time, std::uint32_t segment,
                                      std::int64_t first_step) const = 0;

  // Encodes `event`. The payloads of its records are put into `out` from position `count` on, and
  // `count` is raised by their number, which may be 0. The caller keeps `out` for the next event.
  // An error names a value for which the dialect has no form; the others are encoded all the same.
  virtual Status Encode(const PreparedEvent& event, std::vector<Payload>& out,
                        std::size_t& count) const = 0;

  virtual bool takes_scalars() const = 0;
  // Writes a whole record of one scalar, framing included, at `out` and returns the position after
  // it. `out` has room for the tag and kMaxScalarRecordOverhead bytes. REQUIRES: takes_scalars().
  virtual char* PutScalarRecord(char* out, double wall_time, std::int64_t step,
                                std::string_view tag, double value) const = 0;
};

inline constexpr std::size_t kMaxScalarRecordOverhead = 96;

// The bytes in a file's first record that name its session.
std::string SessionIdField(const RunIdentity& run);

std::unique_ptr<Dialect> MindSporeSummaryDialect(const RunIdentity& run);
std::unique_ptr<Dialect> MindSporeLineageDialect(const RunIdentity& run);
std::unique_ptr<Dialect> TensorBoardDialect(const RunIdentity& run);

}  // namespace sightline
