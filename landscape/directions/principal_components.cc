#include "sightline/landscape/directions/principal_components.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <span>

#include "sightline/landscape/directions/slices.h"
#include "sightline/landscape/directions/vector_kernels.h"

namespace sightline::landscape {
namespace {

// If the second singular value divided by the first is below this, the checkpoints are on a line.
// Rounding the parameters to float32 makes differences of about this size.
constexpr double kSmallestRatio = 1e-6;

// Reads the differences of all checkpoints from the last, block by block.
class DifferenceReader {
 public:
  explicit DifferenceReader(const ParameterSet& set)
      : set_(set), count_(set.checkpoint_count() - 1), values_((count_ + 1) * kBlock) {
    for (std::size_t i = 0; i < count_; ++i) columns_.push_back(values_.data() + i * kBlock);
  }

  // Fills columns() with `n` numbers from `begin` on.
  void Read(std::size_t begin, std::size_t n) {
    const std::span<double> last(values_.data() + count_ * kBlock, n);
    set_.Read(count_, begin, last);
    for (std::size_t i = 0; i < count_; ++i)
      set_.ReadDifference(i, begin, last, {values_.data() + i * kBlock, n});
  }
  const std::vector<const double*>& columns() const { return columns_; }

 private:
  const ParameterSet& set_;
  const std::size_t count_;
  std::vector<double> values_;
  std::vector<const double*> columns_;
};

// D'D, row by row up to the diagonal, and the sums of the columns.
struct GramSums {
  std::vector<double> products;
  std::vector<double> sums;
};

GramSums SumSlice(const ParameterSet& set, SliceRange slice) {
  const std::size_t count = set.checkpoint_count() - 1;
  GramSums out{std::vector<double>(count * (count + 1) / 2), std::vector<double>(count)};
  DifferenceReader reader(set);
  for (std::size_t at = slice.begin; at < slice.end; at += kBlock) {
    const std::size_t n = std::min(kBlock, slice.end - at);
    reader.Read(at, n);
    for (std::size_t i = 0; i < count; ++i) {
      const double* column = reader.columns()[i];
      out.sums[i] += Sum(column, n);
      AddDots(column, std::span(reader.columns()).first(i + 1), n,
              out.products.data() + i * (i + 1) / 2);
    }
  }
  return out;
}

// Finds the number of largest magnitude; of several, the first.
void Largest(double value, double& so_far) {
  if (std::abs(value) > std::abs(so_far)) so_far = value;
}

}  // namespace

Status DegenerateCheckpoints(const ParameterSet& set, std::string_view what) {
  return Status(StatusCode::kInvalidArgument,
                fmt::format("the {} checkpoints up to {} {}", set.checkpoint_count(),
                            set.last().name(), what));
}

// Eigenvectors of the centred Gram matrix G = D'D - n m m', m being the columns' means.
Result<Principal> FindPrincipal(const ParameterSet& set, int threads) {
  const std::size_t count = set.checkpoint_count() - 1;
  std::vector<GramSums> slices(kSlices);
  RunTasks(kSlices, threads,
           [&](std::size_t i) { slices[i] = SumSlice(set, SliceOf(set.size(), i)); });
  const auto size = static_cast<Eigen::Index>(count);
  Eigen::VectorXd means = Eigen::VectorXd::Zero(size);
  Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(size, size);
  for (const GramSums& slice : slices) {
    for (std::size_t i = 0; i < count; ++i) {
      means[static_cast<Eigen::Index>(i)] += slice.sums[i];
      for (std::size_t j = 0; j <= i; ++j) {
        gram(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) +=
            slice.products[i * (i + 1) / 2 + j];
      }
    }
  }
  const auto n = static_cast<double>(set.size());
  means /= n;
  gram -= n * means * means.transpose();
  const double total = gram.trace();
  if (!std::isfinite(total)) {
    return Error(DegenerateCheckpoints(set, "have NaN or infinity in their parameters"));
  }
  if (!(total > 0))
    return Error(DegenerateCheckpoints(set, "do not differ in the parameters chosen"));
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(gram);  // Of the lower triangle.
  if (solver.info() != Eigen::Success) {
    return Error(DegenerateCheckpoints(set, "have no principal components: Eigen found none"));
  }
  Principal principal;
  for (std::size_t k = 0; k < std::min<std::size_t>(2, count); ++k) {
    const Eigen::Index column = size - 1 - static_cast<Eigen::Index>(k);
    const Eigen::VectorXd vector = solver.eigenvectors().col(column);
    principal.factors[k].assign(vector.begin(), vector.end());
    principal.offsets[k] = vector.dot(means);
    principal.explained[k] = std::max(0.0, solver.eigenvalues()[column]) / total;
  }
  principal.is_line =
      !(std::sqrt(principal.explained[1]) > kSmallestRatio * std::sqrt(principal.explained[0]));
  return principal;
}

std::array<double, 2> FillDirections(const ParameterSet& set, const Principal& principal,
                                     std::size_t count, int threads, Directions& out) {
  std::vector<std::array<double, 2>> largest(kSlices, {0, 0});
  RunTasks(kSlices, threads, [&](std::size_t index) {
    const auto [begin, end] = SliceOf(set.size(), index);
    DifferenceReader reader(set);
    double values[kBlock];
    for (std::size_t at = begin; at < end; at += kBlock) {
      const std::size_t n = std::min(kBlock, end - at);
      reader.Read(at, n);
      for (std::size_t k = 0; k < count; ++k) {
        Combine(reader.columns(), principal.factors[k].data(), principal.offsets[k], values, n);
        float* to = (k == 0 ? out.first : out.second).data() + at;
        for (std::size_t i = 0; i < n; ++i) {
          to[i] = static_cast<float>(values[i]);
          Largest(values[i], largest[index][k]);
        }
      }
    }
  });
  std::array<double, 2> all = {0, 0};
  for (const auto& slice : largest)
    for (std::size_t k = 0; k < count; ++k) Largest(slice[k], all[k]);
  return {std::copysign(1.0, all[0]), std::copysign(1.0, all[1])};
}

}  // namespace sightline::landscape
