// Pure value computations on one core, memory to memory: histograms, images, conversions, npy.
//
// With SIGHTLINE_PICTURES=<folder> the two pictures are left there as photo.rgb and noise.rgb (224
// x 224 x 3 bytes), so that a peer can encode the same ones.
#include <benchmark/benchmark.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "sightline/recorder/tensor/histogram.h"
#include "sightline/recorder/tensor/image.h"
#include "sightline/recorder/tensor/npy.h"
#include "sightline/recorder/tensor/png.h"
#include "sightline/recorder/tensor/tensor_data.h"
#include "sightline/tests/support/pictures.h"

namespace sightline {
namespace {

constexpr std::size_t k64MiB = std::size_t{64} << 20U;
constexpr int kSide = 224;

std::vector<float> Normal(std::size_t n) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  std::vector<float> values(n);
  for (float& value : values) value = normal(random);
  return values;
}

void CountValues(benchmark::State& state, std::size_t n) {
  state.counters["values/s"] =
      benchmark::Counter(static_cast<double>(n), benchmark::Counter::kIsIterationInvariantRate);
}

// Every finite value must be in one bucket; tests/recorder/tensor/histogram_test.cc compares with a
// second implementation.
template <typename T>
void HistogramOf(benchmark::State& state, const std::vector<T>& values) {
  const std::array shape = {static_cast<std::int64_t>(values.size())};
  for (auto _ : state) {
    const HistogramData histogram = ComputeHistogram(View(values.data(), shape)).value();
    std::int64_t counted = 0;
    for (const HistogramBucket& bucket : histogram.buckets)
      counted += static_cast<std::int64_t>(bucket.count);
    if (counted != shape[0]) state.SkipWithError("values are missing");
  }
  CountValues(state, values.size());
}

void Histogram64MiB(benchmark::State& state) { HistogramOf(state, Normal(k64MiB / sizeof(float))); }
BENCHMARK(Histogram64MiB)->Unit(benchmark::kMillisecond);

void Histogram60000(benchmark::State& state) { HistogramOf(state, Normal(60000)); }
BENCHMARK(Histogram60000)->Unit(benchmark::kMicrosecond);

void Histogram60000BehindARelu(benchmark::State& state) {
  std::vector<float> values = Normal(60000);
  for (float& value : values) value = std::max(value, 0.0F);
  HistogramOf(state, values);
}
BENCHMARK(Histogram60000BehindARelu)->Unit(benchmark::kMicrosecond);

void Histogram60000Float64(benchmark::State& state) {
  const std::vector<float> values = Normal(60000);
  HistogramOf(state, std::vector<double>(values.begin(), values.end()));
}
BENCHMARK(Histogram60000Float64)->Unit(benchmark::kMicrosecond);

void Histogram120(benchmark::State& state) { HistogramOf(state, Normal(120)); }
BENCHMARK(Histogram120);

void LeavePicture(const std::string& name, const std::vector<std::uint8_t>& rgb) {
  const char* folder = std::getenv("SIGHTLINE_PICTURES");
  if (folder == nullptr) return;
  std::ofstream file(std::string(folder) + "/" + name, std::ios::binary);
  file.write(reinterpret_cast<const char*>(rgb.data()), static_cast<std::streamsize>(rgb.size()));
}

void EncodePicture(benchmark::State& state, const std::vector<std::uint8_t>& rgb) {
  std::size_t bytes = 0;
  for (auto _ : state) {
    const std::string png = EncodePng(kSide, kSide, 3, rgb).value();
    bytes = png.size();
  }
  state.counters["images/s"] = benchmark::Counter(1, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["png_bytes"] = static_cast<double>(bytes);
}

void EncodePngPhotoLike(benchmark::State& state) {
  const std::vector<std::uint8_t> rgb = testing::PhotoLike(kSide, kSide, 1);
  LeavePicture("photo.rgb", rgb);
  EncodePicture(state, rgb);
}
BENCHMARK(EncodePngPhotoLike)->Unit(benchmark::kMicrosecond);

void EncodePngNoise(benchmark::State& state) {
  const std::vector<std::uint8_t> rgb = testing::NoisePicture(kSide, kSide, 1);
  LeavePicture("noise.rgb", rgb);
  EncodePicture(state, rgb);
}
BENCHMARK(EncodePngNoise)->Unit(benchmark::kMicrosecond);

// Tensor to PNG, as the recorder's worker does it: 3 x 224 x 224 float32.
void ImageFromFloat32(benchmark::State& state) {
  std::vector<float> values;
  for (const std::uint8_t byte : testing::PhotoLike(kSide, kSide, 1)) {
    values.push_back(static_cast<float>(byte));
  }
  const std::array<std::int64_t, 4> shape = {1, 3, kSide, kSide};
  for (auto _ : state) {
    const ImageCanvas canvas = MakeCanvas(View(values.data(), shape)).value();
    benchmark::DoNotOptimize(EncodePng(canvas.width, canvas.height, 3, canvas.rgb));
  }
  state.counters["images/s"] = benchmark::Counter(1, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(ImageFromFloat32)->Unit(benchmark::kMicrosecond);

void Canvas32Digits(benchmark::State& state) {
  const std::vector<float> values(std::size_t{32} * 8 * 8, 7);
  const std::array<std::int64_t, 4> shape = {32, 1, 8, 8};
  for (auto _ : state) {
    const ImageCanvas canvas = MakeCanvas(View(values.data(), shape)).value();
    benchmark::DoNotOptimize(EncodePng(canvas.width, canvas.height, 3, canvas.rgb));
  }
}
BENCHMARK(Canvas32Digits)->Unit(benchmark::kMicrosecond);

constexpr std::size_t kElements = 60000;

void ConvertToFloat32From(benchmark::State& state, DType dtype) {
  const std::vector<char> source(kElements * DTypeSize(dtype), 0x3c);
  std::vector<float> out(kElements);
  for (auto _ : state) {
    ConvertToFloat32(dtype, source.data(), kElements, out.data());
    benchmark::ClobberMemory();
  }
  CountValues(state, kElements);
}
BENCHMARK_CAPTURE(ConvertToFloat32From, float16, DType::kFloat16);
BENCHMARK_CAPTURE(ConvertToFloat32From, bfloat16, DType::kBfloat16);
BENCHMARK_CAPTURE(ConvertToFloat32From, int8, DType::kInt8);
BENCHMARK_CAPTURE(ConvertToFloat32From, int64, DType::kInt64);
BENCHMARK_CAPTURE(ConvertToFloat32From, float64, DType::kFloat64);

void EncodeNpyToMemory(benchmark::State& state) {
  const std::vector<float> values = Normal(std::size_t{1} << 20U);
  const std::array<std::int64_t, 2> shape = {1024, 1024};
  for (auto _ : state) benchmark::DoNotOptimize(EncodeNpy(View(values.data(), shape)));
  const auto bytes = static_cast<std::int64_t>(values.size() * sizeof(float));
  state.SetBytesProcessed(state.iterations() * bytes);
}
BENCHMARK(EncodeNpyToMemory)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace sightline
