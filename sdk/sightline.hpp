// The C interface for C++17: classes that own the handles of sightline.h, and values made of what a
// program has. Header only; link libsightline.so or libsightline.a.
//
//   sightline::sdk::Recorder recorder("./run");
//   for (std::int64_t step = 1; step <= 1000; ++step) {
//     recorder.Add(step, "loss", Train(step));
//     recorder.Add(step, sightline::sdk::Histogram("weight", weight.data(), {64, 10}));
//   }
//   recorder.Close();
//
// Errors: what opens, closes or reads throws Error. What records does not: it returns a code, which
// a training may ignore, since Close reports what was refused or dropped.
//
// Ownership, threads and fork are those of the handles in sightline.h. Each object can be moved;
// one that was moved from may only be destroyed or assigned.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sightline.h"

namespace sightline::sdk {

// A function of sightline.h that failed: its code and its words.
class Error : public std::runtime_error {
 public:
  Error(sightline_code code, const std::string& words) : std::runtime_error(words), code_(code) {}
  sightline_code code() const { return code_; }

 private:
  sightline_code code_;
};

inline void ThrowIfFailed(sightline_code code, const void* handle = nullptr) {
  if (code != SIGHTLINE_OK) throw Error(code, sightline_error(handle));
}

// The dtype of a C++ element type. float16, bfloat16 and complex types have none: set Value::dtype.
template <typename T>
constexpr sightline_dtype DTypeOf() = delete;
template <>
constexpr sightline_dtype DTypeOf<bool>() {
  return SIGHTLINE_BOOL;
}
template <>
constexpr sightline_dtype DTypeOf<std::int8_t>() {
  return SIGHTLINE_INT8;
}
template <>
constexpr sightline_dtype DTypeOf<std::int16_t>() {
  return SIGHTLINE_INT16;
}
template <>
constexpr sightline_dtype DTypeOf<std::int32_t>() {
  return SIGHTLINE_INT32;
}
template <>
constexpr sightline_dtype DTypeOf<std::int64_t>() {
  return SIGHTLINE_INT64;
}
template <>
constexpr sightline_dtype DTypeOf<std::uint8_t>() {
  return SIGHTLINE_UINT8;
}
template <>
constexpr sightline_dtype DTypeOf<std::uint16_t>() {
  return SIGHTLINE_UINT16;
}
template <>
constexpr sightline_dtype DTypeOf<std::uint32_t>() {
  return SIGHTLINE_UINT32;
}
template <>
constexpr sightline_dtype DTypeOf<std::uint64_t>() {
  return SIGHTLINE_UINT64;
}
template <>
constexpr sightline_dtype DTypeOf<float>() {
  return SIGHTLINE_FLOAT32;
}
template <>
constexpr sightline_dtype DTypeOf<double>() {
  return SIGHTLINE_FLOAT64;
}

// A struct of sightline.h with its size set: auto options = Sized<sightline_recorder_options>();
template <typename T>
constexpr T Sized() {
  T made{};
  made.struct_size = sizeof(T);
  return made;
}

// A value for Recorder and Monitor. It owns its tag and shape, and borrows its elements, or its
// bytes, which must live until the function that takes it returns.
class Value {
 public:
  Value(sightline_kind kind, std::string tag, sightline_dtype dtype, const void* data,
        std::size_t bytes, std::vector<std::int64_t> shape = {}, double sample_rate = 0)
      : tag_(std::move(tag)), shape_(std::move(shape)), value_(Sized<sightline_value>()) {
    value_.kind = kind;
    value_.dtype = dtype;
    value_.data = data;
    value_.bytes = bytes;
    value_.sample_rate = sample_rate;
  }

  // Valid as long as this object, and until it moves.
  sightline_value get() const {
    sightline_value value = value_;
    value.tag = tag_.c_str();
    value.shape = shape_.data();
    value.dimensions = shape_.size();
    return value;
  }

 private:
  std::string tag_;
  std::vector<std::int64_t> shape_;
  sightline_value value_;
};

// An array of a kind; `data` has as many elements as the shape says.
template <typename T>
Value Array(sightline_kind kind, std::string tag, const T* data, std::vector<std::int64_t> shape,
            double sample_rate = 0) {
  std::size_t bytes = sizeof(T);
  for (const std::int64_t size : shape) bytes *= static_cast<std::size_t>(size);
  return Value(kind, std::move(tag), DTypeOf<T>(), data, bytes, std::move(shape), sample_rate);
}
template <typename T>
Value Histogram(std::string tag, const T* data, std::vector<std::int64_t> shape) {
  return Array(SIGHTLINE_HISTOGRAM, std::move(tag), data, std::move(shape));
}
template <typename T>
Value Tensor(std::string tag, const T* data, std::vector<std::int64_t> shape) {
  return Array(SIGHTLINE_TENSOR, std::move(tag), data, std::move(shape));
}
// (batch, channels 1 or 3, height, width).
template <typename T>
Value Image(std::string tag, const T* data, std::vector<std::int64_t> shape) {
  return Array(SIGHTLINE_IMAGE, std::move(tag), data, std::move(shape));
}
// Samples from -1 to 1, at a rate in Hz.
template <typename T>
Value Audio(std::string tag, const T* samples, std::size_t count, double sample_rate) {
  return Array(SIGHTLINE_AUDIO, std::move(tag), samples, {static_cast<std::int64_t>(count)},
               sample_rate);
}
inline Value Text(std::string tag, std::string_view text) {
  return Value(SIGHTLINE_TEXT, std::move(tag), sightline_dtype{}, text.data(), text.size());
}
// A graph, lineage, landscape or event of TensorBoard's, serialized.
inline Value Message(sightline_kind kind, std::string_view serialized, std::string tag = "") {
  return Value(kind, std::move(tag), sightline_dtype{}, serialized.data(), serialized.size());
}

template <typename Handle, void (*free)(Handle*)>
struct Free {
  void operator()(Handle* handle) const { free(handle); }
};
template <typename Handle, void (*free)(Handle*)>
using Owned = std::unique_ptr<Handle, Free<Handle, free>>;

inline std::vector<sightline_value> AsStructs(const std::vector<Value>& values) {
  std::vector<sightline_value> structs;
  structs.reserve(values.size());
  for (const Value& value : values) structs.push_back(value.get());
  return structs;
}

class Recorder {
 public:
  explicit Recorder(const std::string& directory, const sightline_recorder_options& options =
                                                      Sized<sightline_recorder_options>()) {
    sightline_recorder* opened = nullptr;
    ThrowIfFailed(sightline_recorder_open(directory.c_str(), &options, &opened));
    handle_.reset(opened);
  }

  sightline_code Add(std::int64_t step, const char* tag, double scalar) noexcept {
    return sightline_recorder_add_scalar(get(), tag, step, scalar);
  }
  sightline_code Add(std::int64_t step, const sightline_tag* tag, double scalar) noexcept {
    return sightline_recorder_add_tagged(get(), tag, step, scalar);
  }
  sightline_code Add(std::int64_t step, const Value& value) noexcept {
    const sightline_value one = value.get();
    return sightline_recorder_record(get(), step, &one, 1);
  }
  // Records the values as one event.
  sightline_code Add(std::int64_t step, const std::vector<Value>& values) {
    const std::vector<sightline_value> all = AsStructs(values);
    return sightline_recorder_record(get(), step, all.data(), all.size());
  }

  // Lives as long as the recorder.
  const sightline_tag* Tag(const char* text) {
    const sightline_tag* tag = nullptr;
    ThrowIfFailed(sightline_recorder_tag(get(), text, &tag), get());
    return tag;
  }
  void Flush(bool to_disk = false) {
    ThrowIfFailed(sightline_recorder_flush(get(), to_disk ? 1 : 0), get());
  }
  void Close() { ThrowIfFailed(sightline_recorder_close(get()), get()); }
  sightline_recorder_stats Stats() const {
    auto stats = Sized<sightline_recorder_stats>();
    ThrowIfFailed(sightline_recorder_get_stats(get(), &stats), get());
    return stats;
  }
  std::string directory() const { return sightline_recorder_directory(get()); }
  sightline_recorder* get() const { return handle_.get(); }

 private:
  Owned<sightline_recorder, sightline_recorder_free> handle_;
};

class Monitor {
 public:
  explicit Monitor(const std::string& directory,
                   const sightline_monitor_options& options = Sized<sightline_monitor_options>()) {
    sightline_monitor* created = nullptr;
    ThrowIfFailed(sightline_monitor_create(directory.c_str(), &options, &created));
    handle_.reset(created);
  }

  sightline_code Begin(const sightline_training& training) noexcept {
    return sightline_monitor_begin(get(), &training);
  }
  bool IsDue(std::int64_t step) const noexcept {
    return sightline_monitor_is_due(get(), step) != 0;
  }
  bool ShouldRecord(const char* tag, std::int64_t step, sightline_kind kind) const noexcept {
    return sightline_monitor_should_record(get(), tag, step, kind) != 0;
  }
  // What is recorded of a step: its loss, parameters, and values under their own names.
  sightline_code EndStep(std::int64_t step, double loss, const std::vector<Value>& parameters = {},
                         const std::vector<Value>& values = {}) {
    auto info = Sized<sightline_step>();
    info.step = step;
    info.loss = &loss;
    const std::vector<sightline_value> given_parameters = AsStructs(parameters);
    const std::vector<sightline_value> given_values = AsStructs(values);
    info.parameters = given_parameters.data();
    info.parameter_count = given_parameters.size();
    info.values = given_values.data();
    info.value_count = given_values.size();
    return EndStep(info);
  }
  sightline_code EndStep(const sightline_step& step) noexcept {
    return sightline_monitor_end_step(get(), &step);
  }
  sightline_code Log(std::int64_t step, std::initializer_list<sightline_scalar> scalars) noexcept {
    return sightline_monitor_log(get(), step, scalars.begin(), scalars.size());
  }
  sightline_code BeginEvaluation() noexcept { return sightline_monitor_begin_evaluation(get()); }
  sightline_code EndEvaluation(std::int64_t step,
                               std::initializer_list<sightline_scalar> metrics) noexcept {
    return sightline_monitor_end_evaluation(get(), step, metrics.begin(), metrics.size(), nullptr,
                                            0);
  }
  void End(sightline_ending ending = SIGHTLINE_ENDED_WELL) {
    ThrowIfFailed(sightline_monitor_end(get(), ending), get());
  }
  sightline_monitor* get() const { return handle_.get(); }

 private:
  Owned<sightline_monitor, sightline_monitor_free> handle_;
};

class Profile {
 public:
  explicit Profile(const std::string& directory,
                   const sightline_profile_options& options = Sized<sightline_profile_options>()) {
    sightline_profile* started = nullptr;
    ThrowIfFailed(sightline_profile_start(directory.c_str(), &options, &started));
    handle_.reset(started);
  }
  sightline_profile_stats Stop() {
    auto stats = Sized<sightline_profile_stats>();
    ThrowIfFailed(sightline_profile_stop(get(), &stats), get());
    return stats;
  }
  std::string path() const { return sightline_profile_path(get()); }
  sightline_profile* get() const { return handle_.get(); }

 private:
  Owned<sightline_profile, sightline_profile_free> handle_;
};

// A span until the end of the scope. `name`: from sightline_name, asked once.
class Span {
 public:
  explicit Span(std::uint32_t name, sightline_category category = SIGHTLINE_COMPUTE)
      : span_(sightline_span_begin(name, category)) {}
  ~Span() { sightline_span_end(span_); }
  Span(const Span&) = delete;
  Span& operator=(const Span&) = delete;

 private:
  std::uint32_t span_;
};

// A training step until the end of the scope.
class Step {
 public:
  explicit Step(std::int64_t number) { sightline_step_begin(number); }
  ~Step() { sightline_step_end(); }
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;
};

// The points of a scalar.
struct Scalars {
  std::vector<std::int64_t> steps;
  std::vector<double> wall_times;  // In seconds since the Unix epoch; NaN: unknown.
  std::vector<double> values;
};

class Run {
 public:
  explicit Run(const std::string& directory) {
    sightline_run* opened = nullptr;
    ThrowIfFailed(sightline_run_open(directory.c_str(), &opened));
    handle_.reset(opened);
  }
  sightline_run_info Info() const {
    auto info = Sized<sightline_run_info>();
    ThrowIfFailed(sightline_run_get_info(get(), &info), get());
    return info;
  }
  // All series, in the order of kind, tag and rank. Their tags live as long as the run.
  std::vector<sightline_series> Series() const {
    std::vector<sightline_series> all(Info().series_count, Sized<sightline_series>());
    for (std::size_t i = 0; i < all.size(); ++i)
      ThrowIfFailed(sightline_run_get_series(get(), i, &all[i]), get());
    return all;
  }
  // The points of the first series of this tag; throws SIGHTLINE_NOT_FOUND if there is none.
  Scalars Read(const char* tag) const {
    std::uint64_t index = 0;
    ThrowIfFailed(sightline_run_find(get(), SIGHTLINE_SCALAR, tag, &index), get());
    auto series = Sized<sightline_series>();
    ThrowIfFailed(sightline_run_get_series(get(), index, &series), get());
    Scalars read{std::vector<std::int64_t>(series.points), std::vector<double>(series.points),
                 std::vector<double>(series.points)};
    std::uint64_t copied = 0;
    ThrowIfFailed(sightline_run_read_scalars(get(), index, 0, series.points, read.steps.data(),
                                             read.wall_times.data(), read.values.data(), &copied),
                  get());
    return read;
  }
  sightline_run* get() const { return handle_.get(); }

 private:
  Owned<sightline_run, sightline_run_free> handle_;
};

}  // namespace sightline::sdk
