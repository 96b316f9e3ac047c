// sightline._landscape: the base of python/sightline/landscape.py. Its types are in
// python/sightline/_landscape.pyi.
//
// It contains no part of the recorder, since two modules that register one schema with the system's
// libprotobuf abort; sightline._core records the results.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sightline/landscape/directions/vector_kernels.h"
#include "sightline/landscape/landscape_job.h"
#include "sightline/python/native/common/failures.h"
#include "sightline/python/native/common/path.h"
#include "sightline/recorder/tensor/tensor_data.h"

namespace sightline::python {
namespace {

// clang-tidy 14 does not see where it is used.
using nb::literals::operator""_a;  // NOLINT(misc-unused-using-decls)

using Floats = nb::ndarray<nb::numpy, const float, nb::ndim<1>>;
using FloatsIn = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using FloatsOut = nb::ndarray<float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Bytes = nb::ndarray<nb::numpy, const char, nb::ndim<1>>;

template <typename T>
T ValueOrRaise(Result<T> result) {
  if (!result) RaiseIfError(result.error());
  return *std::move(result);
}

// Keeps `owner` alive as long as an array that borrows from it.
template <typename T>
nb::capsule CapsuleOf(std::shared_ptr<T> owner) {
  auto held = std::make_unique<std::shared_ptr<T>>(std::move(owner));
  nb::capsule capsule(held.get(),
                      [](void* p) noexcept { delete static_cast<std::shared_ptr<T>*>(p); });
  static_cast<void>(held.release());  // The capsule owns it now.
  return capsule;
}

struct PyPlane {
  std::shared_ptr<const landscape::TrainMetadata> metadata;
  landscape::PlaneOptions options;
  std::shared_ptr<const landscape::Plane> plane;
};

class PyJob {
 public:
  PyJob(const PyPlane& plane, bool restart) : plane_(plane) {
    job_ = ValueOrRaise([&] {
      const nb::gil_scoped_release released;
      return landscape::LandscapeJob::Open(*plane_.plane, *plane_.metadata, plane_.options,
                                           restart);
    }());
  }

  // (index, (x, y, whether it is between checkpoints)) of each point.
  std::vector<std::pair<std::size_t, std::tuple<double, double, bool>>> OpenPoints() const {
    std::vector<std::pair<std::size_t, std::tuple<double, double, bool>>> points;
    for (const std::size_t index : job().OpenPoints()) {
      const landscape::PlanePoint point = landscape::PointAt(*plane_.plane, index);
      points.push_back({index, {point.x, point.y, point.is_between_checkpoints}});
    }
    return points;
  }

  // All numbers of every known point, by index.
  nb::dict Points() const {
    nb::dict points;
    for (const auto& [index, values] : job().points()) points[nb::cast(index)] = nb::cast(values);
    return points;
  }

  void Add(std::size_t index, const std::vector<double>& values) {
    if (index >= landscape::PointCount(*plane_.plane))
      throw nb::index_error("there is no such point");
    RaiseIfError(job().Add(index, values));
  }

  LossLandscape Landscape() const {
    if (!job().OpenPoints().empty())
      RaiseIfError(Status(StatusCode::kFailedPrecondition, "not every point is known"));
    return job().Landscape();
  }
  bool is_recorded() const { return job().is_recorded(); }
  void MarkRecorded() { RaiseIfError(job().MarkRecorded()); }

  // Releases the journal's lock.
  void Close() { job_.reset(); }

 private:
  landscape::LandscapeJob& job() const {
    if (job_ == nullptr) throw nb::value_error("the job is closed");
    return *job_;
  }

  PyPlane plane_;
  std::unique_ptr<landscape::LandscapeJob> job_;
};

// PlaneOptions.__init__.
void InitOptions(landscape::PlaneOptions* self, std::optional<std::string> parameters,
                 bool ignore_biases_and_norms, const std::string& normalisation, std::uint64_t seed,
                 bool random_second, int threads, std::optional<std::array<std::int64_t, 2>> size,
                 std::optional<std::array<double, 2>> x_range,
                 std::optional<std::array<double, 2>> y_range, std::int64_t line_size,
                 const std::vector<std::string>& directions) {
  landscape::PlaneOptions options;
  options.parameters = {std::move(parameters), ignore_biases_and_norms};
  const auto named = landscape::NormalisationNamed(normalisation);
  if (!named) {
    RaiseIfError(Status(StatusCode::kInvalidArgument,
                        "normalisation is \"" + normalisation +
                            "\", but must be \"none\", \"layer\" or \"filter\""));
  }
  options.directions = {*named, seed, random_second, threads};
  if (size) {
    options.x_size = (*size)[0];
    options.y_size = (*size)[1];
  }
  options.x_range = x_range;
  options.y_range = y_range;
  options.line_size = line_size;
  for (const std::string& path : directions) {
    options.given_directions.push_back(ValueOrRaise(landscape::Checkpoint::Open(path)));
  }
  RaiseIfError(options.Check());
  new (self) landscape::PlaneOptions(std::move(options));
}

// The index of an interval; none for the landscape around the last checkpoint.
PyPlane MakePlane(const std::shared_ptr<landscape::TrainMetadata>& metadata,
                  std::optional<std::size_t> interval, const landscape::PlaneOptions& options) {
  if (interval && *interval >= metadata->intervals.size())
    throw nb::index_error("there is no such interval");
  // A copy, since the owner of the metadata may change it.
  const auto kept = std::make_shared<const landscape::TrainMetadata>(*metadata);
  auto made = [&] {
    const nb::gil_scoped_release released;
    return interval ? landscape::PlaneOfInterval(*kept, *interval, options)
                    : landscape::PlaneOfResult(*kept, options);
  }();
  return {kept, options, std::make_shared<const landscape::Plane>(ValueOrRaise(std::move(made)))};
}

Floats ArrayOf(const std::vector<float>& values, const nb::capsule& owner) {
  return Floats(values.data(), {values.size()}, owner);
}

// The numbers of the last checkpoint and both directions, and the way from it to the first
// checkpoint if there is a line between them.
std::vector<Floats> Vectors(const PyPlane& self) {
  const landscape::Plane& plane = *self.plane;
  const auto last = std::make_shared<std::vector<float>>(plane.parameters.size());
  {
    const nb::gil_scoped_release released;
    plane.parameters.Read(plane.parameters.checkpoint_count() - 1, 0, std::span<float>(*last));
  }
  const nb::capsule owner = CapsuleOf(self.plane);
  std::vector<Floats> vectors = {ArrayOf(*last, CapsuleOf(last)),
                                 ArrayOf(plane.directions.first, owner),
                                 ArrayOf(plane.directions.second, owner)};
  if (!plane.checkpoint_difference.empty())
    vectors.push_back(ArrayOf(plane.checkpoint_difference, owner));
  return vectors;
}

nb::list Slots(const PyPlane& self) {
  nb::list slots;
  for (const landscape::ParameterSlot& slot : self.plane->parameters.slots())
    slots.append(nb::make_tuple(FromUtf8(slot.name), nb::tuple(nb::cast(slot.shape))));
  return slots;
}

// (name, NumPy's name of the dtype, shape, bytes) of each tensor; not copied if it is one piece.
nb::list Tensors(const std::shared_ptr<landscape::Checkpoint>& self) {
  nb::list tensors;
  for (const landscape::CheckpointTensor& tensor : self->tensors()) {
    const nb::tuple shape(nb::cast(tensor.shape));
    const bool is_bfloat16 = tensor.dtype == DType::kBfloat16;  // NumPy has none.
    Bytes bytes;
    if (tensor.pieces.size() == 1 && !is_bfloat16) {
      bytes = Bytes(tensor.pieces[0].data(), {tensor.pieces[0].size()}, CapsuleOf(self));
    } else {
      const auto copy = std::make_shared<std::string>();
      for (const std::string_view piece : tensor.pieces) copy->append(piece);
      if (is_bfloat16) {
        std::string wide(copy->size() * 2, '\0');
        ConvertToFloat32(tensor.dtype, copy->data(), tensor.ElementCount(),
                         reinterpret_cast<float*>(wide.data()));
        *copy = std::move(wide);
      }
      bytes = Bytes(copy->data(), {copy->size()}, CapsuleOf(copy));
    }
    tensors.append(nb::make_tuple(FromUtf8(tensor.name),
                                  is_bfloat16 ? "float32" : std::string(DTypeName(tensor.dtype)),
                                  shape, bytes));
  }
  return tensors;
}

void FormPoint(const FloatsIn& last, const FloatsIn& first, const FloatsIn& second, double x,
               double y, const FloatsOut& out) {
  const std::size_t n = out.size();
  if (last.size() != n || first.size() != n || second.size() != n)
    throw nb::value_error("the vectors differ in length");
  const nb::gil_scoped_release released;
  landscape::FormPoint(last.data(), first.data(), second.data(), x, y, out.data(), n);
}

void BindMetadata(nb::module_& m) {
  using landscape::TrainMetadata;
  nb::class_<TrainMetadata>(m, "Metadata", "The train_metadata.json of a training.")
      .def(
          "__init__",
          [](TrainMetadata* self, nb::handle path, const std::string& changes) {
            new (self)
                TrainMetadata(ValueOrRaise(landscape::ReadTrainMetadata(ToPath(path), changes)));
          },
          "path"_a, "changes"_a = "")
      .def_prop_rw(
          "run_directory", [](const TrainMetadata& self) { return FromPath(self.run_directory); },
          [](TrainMetadata& self, nb::handle path) { self.run_directory = ToPath(path); })
      .def_ro("intervals", &TrainMetadata::intervals, "The epochs or steps of each landscape.")
      .def_ro("num_samples", &TrainMetadata::num_samples,
              "The number of samples from which the loss is computed.")
      .def_ro("create_train", &TrainMetadata::create_train,
              "Whether to compute the landscapes of the training.")
      .def_ro("create_result", &TrainMetadata::create_result,
              "Whether to compute the landscape of its result.");
}

void BindPlane(nb::module_& m) {
  nb::class_<landscape::PlaneOptions>(
      m, "PlaneOptions", "How to make a plane; sightline.landscape.generate explains the options.")
      .def("__init__", &InitOptions, nb::kw_only(), "parameters"_a.none(),
           "ignore_biases_and_norms"_a, "normalisation"_a, "seed"_a, "random_second"_a, "threads"_a,
           "size"_a.none(), "x_range"_a.none(), "y_range"_a.none(), "line_size"_a, "directions"_a);
  nb::class_<PyPlane>(m, "Plane", "The plane of a landscape: two directions and a grid of points.")
      .def_prop_ro(
          "tag", [](const PyPlane& self) { return self.plane->tag; },
          "The tag under which it is recorded.")
      .def_prop_ro(
          "decomposition", [](const PyPlane& self) { return self.plane->decomposition; },
          "\"PCA\", \"Random\" or \"Given\".")
      .def_prop_ro(
          "numbers", [](const PyPlane& self) { return self.plane->numbers; },
          "The epochs or steps of its checkpoints.")
      .def_prop_ro(
          "x", [](const PyPlane& self) { return self.plane->x; },
          "The grid's places along the first direction.")
      .def_prop_ro(
          "y", [](const PyPlane& self) { return self.plane->y; },
          "The grid's places along the second direction.")
      .def_prop_ro(
          "path_x", [](const PyPlane& self) { return self.plane->trajectory.x; },
          "The place of each checkpoint along the first direction.")
      .def_prop_ro(
          "path_y", [](const PyPlane& self) { return self.plane->trajectory.y; },
          "The place of each checkpoint along the second direction.")
      .def_prop_ro(
          "distances", [](const PyPlane& self) { return self.plane->trajectory.distances; },
          "Each checkpoint's distance from the plane.")
      .def_prop_ro(
          "explained_variance",
          [](const PyPlane& self) { return self.plane->directions.explained_variance; },
          "Each direction's share of the checkpoints' variance; None without PCA.")
      .def_prop_ro(
          "point_count", [](const PyPlane& self) { return landscape::PointCount(*self.plane); },
          "The number of points to evaluate.")
      .def_prop_ro("slots", &Slots,
                   "Name and shape of each parameter, in the order of the vectors.")
      .def_prop_ro(
          "checkpoint",
          [](const PyPlane& self) { return FromPath(self.plane->parameters.last().name()); },
          "The path of the last checkpoint.")
      .def("vectors", &Vectors, "The last checkpoint and the two directions, each as one array.");
  m.def("make_plane", &MakePlane, "metadata"_a, "interval"_a.none(), "options"_a,
        "Makes the plane of an interval; for None, that of the result.");
  m.def("form_point", &FormPoint, "last"_a, "first"_a, "second"_a, "x"_a, "y"_a, "out"_a,
        "out = last + x * first + y * second.");
}

}  // namespace
}  // namespace sightline::python

NB_MODULE(_landscape, m) {
  m.doc() = "The extension module of sightline.landscape; use that instead.";
  namespace python = sightline::python;
  namespace nb = nanobind;
  using nb::literals::operator""_a;  // NOLINT(misc-unused-using-decls)
  nb::set_leak_warnings(false);
  nb::module_::import_("sightline._core");  // It has the class LossLandscape.
  python::BindMetadata(m);
  python::BindPlane(m);
  nb::class_<sightline::landscape::Checkpoint>(m, "Checkpoint", "A file of parameters.")
      .def("tensors", &python::Tensors, "The name, type, shape and elements of each tensor.");
  m.def(
      "open_checkpoint",
      [](nb::handle path) {
        return std::make_shared<sightline::landscape::Checkpoint>(
            python::ValueOrRaise(sightline::landscape::Checkpoint::Open(python::ToPath(path))));
      },
      "path"_a, "Opens a checkpoint. Raises OSError if it cannot be read.");
  nb::class_<python::PyJob>(m, "Job",
                            "The points of a landscape that are known, kept in its journal.")
      .def(nb::init<const python::PyPlane&, bool>(), "plane"_a, "restart"_a)
      .def("open_points", &python::PyJob::OpenPoints,
           "The points that are not evaluated yet: index and place.")
      .def("points", &python::PyJob::Points, "The values of the known points.")
      .def("add", &python::PyJob::Add, "index"_a, "values"_a, "Keeps the values of a point.")
      .def("landscape", &python::PyJob::Landscape, "The landscape of the known points.")
      .def_prop_ro("is_recorded", &python::PyJob::is_recorded,
                   "Whether the landscape is in an event file.")
      .def("mark_recorded", &python::PyJob::MarkRecorded,
           "Notes that the landscape is in an event file.")
      .def("close", &python::PyJob::Close, "Closes the journal.");
}
