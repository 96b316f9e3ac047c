// Dialect: how one kind of event file spells events and its name. One instance belongs to one sink.
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

// What the names and first records of a run's files need.
struct RunIdentity {
  std::string session_id;
  std::string hostname;
  int rank = 0;
  int world_size = 1;
  int device_id = 0;
  std::uint64_t opened_digits =
      0;  // Unix seconds at opening, raised above the files that were there.
  std::optional<std::int64_t> resume_from_step = std::nullopt;
  std::string continues_session = {};  // Its id; empty: none.
};

class Dialect {
 public:
  virtual ~Dialect() = default;

  virtual const std::string& name() const = 0;
  // The file name whose number is `digits`.
  virtual std::string FileName(std::uint64_t digits) const = 0;
  // Whether a file exists from the start, or from its first event on.
  virtual bool opens_at_once() const = 0;

  // The payloads of the records that a file begins with; none where the dialect has none.
  virtual std::vector<Payload> Header(double wall_time, std::uint32_t segment,
                                      std::int64_t first_step) const = 0;

  // Appends the records that `event` becomes here to `out`, `count` of them; none where it brings
  // nothing. An error names a value that cannot be spelled here; the others are there all the same.
  virtual Status Encode(const PreparedEvent& event, std::vector<Payload>& out,
                        std::size_t& count) const = 0;

  virtual bool takes_scalars() const = 0;
  // A complete one-scalar record (framing included) at `out`, which has kMaxScalarRecordOverhead
  // bytes more room than the tag; returns the position after it. REQUIRES: takes_scalars().
  virtual char* PutScalarRecord(char* out, double wall_time, std::int64_t step,
                                std::string_view tag, double value) const = 0;
};

inline constexpr std::size_t kMaxScalarRecordOverhead = 96;

// The bytes by which a header names its own session.
std::string SessionIdField(const RunIdentity& run);

std::unique_ptr<Dialect> MindSporeSummaryDialect(const RunIdentity& run);
std::unique_ptr<Dialect> MindSporeLineageDialect(const RunIdentity& run);
std::unique_ptr<Dialect> TensorBoardDialect(const RunIdentity& run);

}  // namespace sightline
