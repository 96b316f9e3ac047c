#include "sightline/python/native/core/loss_landscape.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "sightline/landscape/record_landscape.h"
#include "sightline/python/native/common/failures.h"
#include "sightline/python/native/common/path.h"

namespace sightline::python {

void BindLossLandscape(nb::module_& module) {
  using nb::literals::operator""_a;  // NOLINT(misc-unused-using-decls)
  nb::class_<LossLandscape>(module, "LossLandscape",
                            "The numbers of one landscape; sightline._landscape makes it.")
      .def_ro("x", &LossLandscape::x, "The positions of the columns of z, ascending.")
      .def_ro("y", &LossLandscape::y, "The positions of the rows of z, ascending.")
      .def_ro("z", &LossLandscape::z,
              "The loss at each point of the grid, row by row: z[j * len(x) + i] is the loss at "
              "x[i], y[j].")
      .def_prop_ro(
          "path_z",
          [](const LossLandscape& self) {
            return self.path ? self.path->z : std::vector<double>();
          },
          "The loss at each point of the path; empty if there is no path.")
      .def_prop_ro(
          "lines",
          [](const LossLandscape& self) {
            nb::list lines;
            if (!self.details) return lines;
            for (const LossLandscape::Line& line : self.details->lines)
              lines.append(nb::make_tuple(line.along, line.at, line.z, line.metrics));
            return lines;
          },
          "(along, at, z, metrics) of each line.");
  module.def(
      "record_landscape",
      [](nb::handle directory, const std::string& tag, const LossLandscape& landscape) {
        const std::string path = ToPath(directory);
        const Status status = [&] {
          const nb::gil_scoped_release released;
          return landscape::RecordLandscape(FileSystem::Local(), path, tag, landscape);
        }();
        RaiseIfError(status);
      },
      "directory"_a, "tag"_a, "landscape"_a,
      "Records a landscape at step 0 in new event files in the directory.");
}

}  // namespace sightline::python
