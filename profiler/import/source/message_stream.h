// MessageStream: walks the fields of Protocol Buffers messages that lie in each other, in a file of
// any size.
//
//   MessageStream stream(source);
//   for (Field field; stream.Next(field);) {
//     if (field.number == 3 && IsBytes(field)) stream.Enter();  // The fields inside come next.
//   }
//
// It needs memory for a ByteWindow only.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sightline/base/wire.h"
#include "sightline/profiler/import/source/byte_window.h"

namespace sightline::profiler {

class MessageStream {
 public:
  // `source` must outlive the stream.
  explicit MessageStream(ByteSource& source) : window_(source) {}

  // The next field of the message that was entered last; false at its end, which leaves it, and at
  // damage. Of a bytes field, number_value is its size and `bytes` is empty: the call after this
  // one may be Enter or Take, and the next Next skips it otherwise.
  bool Next(wire::Field& field);
  void Enter();
  // Its bytes, valid until the next call; empty, which is damage, if they are more than a window
  // holds (ByteWindow::kMaxWindow).
  std::string_view Take();

  // OK, or why Next ended before the end of the file: kDataLoss if the file ends within a message,
  // or is none.
  const Status& status() const { return status_; }

 private:
  bool Varint(std::uint64_t& value);
  // Makes at least this many bytes the window's rest.
  bool Have(std::uint64_t bytes);
  bool SkipPending();
  bool Fail();

  ByteWindow window_;
  std::vector<std::uint64_t> ends_;  // Of the messages that were entered, as offsets in the file.
  std::uint64_t pending_ = 0;        // Bytes of the last field.
  Status status_;
};

}  // namespace sightline::profiler
