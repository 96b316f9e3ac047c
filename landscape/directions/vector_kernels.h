// Loops over long vectors, in the best instruction set of this processor. Pure;
// callable from any thread. On one machine the same arguments give the same bits.
#pragma once

#include <cstddef>
#include <span>

namespace sightline::landscape {

// out[i] = the float32 at `floats` + 4 i, which needs no alignment.
void WidenFloats(const void* floats, double* out, std::size_t n);
// out[i] = the float32 at `floats` + 4 i, minus base[i].
void SubtractFromFloats(const void* floats, const double* base, double* out, std::size_t n);

double Sum(const double* a, std::size_t n);

// sums[k] += the inner product of `a` and vector k, for every k.
void AddDots(const double* a, std::span<const double* const> vectors, std::size_t n, double* sums);

// out[i] = sum over k of factors[k] * vectors[k][i], - offset.
void Combine(std::span<const double* const> vectors, const double* factors, double offset,
             double* out, std::size_t n);

// out[i] = (base[i] + y * second[i]) + x * first[i], in float64, rounded once.
void FormPoint(const float* base, const float* first, const float* second, double x, double y,
               float* out, std::size_t n);

}  // namespace sightline::landscape
