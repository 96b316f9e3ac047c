// Groups of runs for Python.
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/export/runs/export_target.h"
#include "sightline/export/runs/run_export.h"
#include "sightline/python/native/common/failures.h"
#include "sightline/python/native/common/path.h"
#include "sightline/python/native/runs/stored_run.h"
#include "sightline/runs/model/band.h"
#include "sightline/runs/query/tag_filter.h"
#include "sightline/runs/run_group.h"

namespace sightline::python {
namespace {

// clang-tidy 14 does not see where it is used.
using nb::literals::operator""_a;  // NOLINT(misc-unused-using-decls)

// A RunGroup is for one thread at a time, so Python's threads take turns.
class StoredRuns {
 public:
  explicit StoredRuns(RunGroup group) : group_(std::move(group)) {}

  // Calls use(group) without the GIL, and returns its Result's value.
  template <typename Use>
  auto With(Use use) const {
    const auto call = [&] {
      const nb::gil_scoped_release released;
      const std::lock_guard lock(mutex_);
      return use(group_);
    };
    auto result = call();
    if (!result) RaiseIfError(result.error());
    return *std::move(result);
  }

  std::vector<std::shared_ptr<const Run>> runs() const {
    return With([](const RunGroup& group) -> Result<std::vector<std::shared_ptr<const Run>>> {
      return std::vector(group.runs().begin(), group.runs().end());
    });
  }

 private:
  mutable std::mutex mutex_;
  mutable RunGroup group_;
};

std::vector<std::string> ToPaths(const nb::list& paths) {
  std::vector<std::string> list;
  for (const nb::handle path : paths) {
    list.push_back(ToPath(path));
    RaiseIfError(CheckLocalPath("path", list.back()));
  }
  return list;
}

std::unique_ptr<StoredRuns> OpenAll(const nb::list& paths, bool join) {
  const std::vector<std::string> roots = ToPaths(paths);
  const auto open = [&] {
    const nb::gil_scoped_release released;
    auto group = RunGroup::Open(roots, {.index_folder = DefaultIndexFolder(), .join = join});
    if (group) group->WriteIndex();
    return group;
  };
  auto group = open();
  if (!group) RaiseIfError(group.error());
  return std::make_unique<StoredRuns>(*std::move(group));
}

const char* KindName(RunChange::Kind kind) {
  switch (kind) {
    case RunChange::Kind::kAppeared:
      return "appeared";
    case RunChange::Kind::kChanged:
      return "changed";
    case RunChange::Kind::kReplaced:
      return "replaced";
    case RunChange::Kind::kGone:
      return "gone";
  }
  return "";
}

// A change with what it means for the series of the run.
struct ComparedChange {
  RunChange change;
  std::vector<SeriesChange> series;
};

Result<std::vector<ComparedChange>> Compared(RunGroup& group) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto changes, group.Refresh());
  std::vector<ComparedChange> compared;
  for (const RunChange& change : changes) {
    const bool both = change.run != nullptr && change.before != nullptr;
    compared.push_back(
        {change, both ? SeriesChanges(*change.before, *change.run) : std::vector<SeriesChange>()});
  }
  return compared;
}

nb::list Refresh(const StoredRuns& self) {
  nb::list list;
  for (const auto& [change, series] : self.With(Compared)) {
    const nb::object run = change.run ? nb::cast(StoredRun{change.run}) : nb::none();
    list.append(nb::make_tuple(KindName(change.kind), FromUtf8(change.name), run, ToList(series)));
  }
  return list;
}

// Makes a column of a band.
template <typename Of>
nb::ndarray<nb::numpy, const double, nb::ndim<1>> SpreadColumn(const Band& band, Of of) {
  auto values = std::make_unique<double[]>(band.spreads.size());
  std::transform(band.spreads.begin(), band.spreads.end(), values.get(), of);
  const double* const data = values.get();
  const nb::capsule owner(values.release(), [](void* kept) noexcept {
    delete[] static_cast<double*>(kept);  // NOLINT(cppcoreguidelines-owning-memory)
  });
  return {data, {band.spreads.size()}, owner};
}

nb::tuple BandOfTag(const StoredRuns& self, const std::string& tag) {
  const Band band =
      self.With([&](const RunGroup& group) -> Result<Band> { return BandOf(group.runs(), tag); });
  nb::list steps;
  for (const std::int64_t step : band.steps) steps.append(step);
  return nb::make_tuple(
      steps, SpreadColumn(band, [](const Spread& at) { return static_cast<double>(at.count); }),
      SpreadColumn(band, [](const Spread& at) { return at.mean; }),
      SpreadColumn(band, [](const Spread& at) { return at.min; }),
      SpreadColumn(band, [](const Spread& at) { return at.max; }),
      SpreadColumn(band, [](const Spread& at) { return at.deviation; }));
}

// Starts to watch; returns the descriptor that becomes readable when there is news, or -1.
int Watch(const StoredRuns& self) {
  return self.With([](RunGroup& group) -> Result<int> {
    group.Watch();
    return group.news_descriptor();
  });
}

std::unique_ptr<StoredRuns> Where(const StoredRuns& self, const std::string& query) {
  return std::make_unique<StoredRuns>(
      self.With([&](const RunGroup& group) { return group.Where(query); }));
}

std::unique_ptr<StoredRuns> Sorted(const StoredRuns& self, const std::string& expression,
                                   bool descending) {
  return std::make_unique<StoredRuns>(
      self.With([&](const RunGroup& group) { return group.Sorted(expression, descending); }));
}

nb::list Runs(const StoredRuns& self) {
  nb::list list;
  for (auto& run : self.runs()) list.append(StoredRun{std::move(run)});
  return list;
}

nb::object Find(const StoredRuns& self, const std::string& name) {
  auto run = self.With([&](const RunGroup& group) -> Result<std::shared_ptr<const Run>> {
    return group.Find(name);
  });
  return run == nullptr ? nb::none() : nb::cast(StoredRun{std::move(run)});
}

// (name, directory) of each run in and below the paths, with the names that exports use.
nb::list FindRuns(const nb::list& paths) {
  const std::vector<std::string> roots = ToPaths(paths);
  const auto find = [&] {
    const nb::gil_scoped_release released;
    return FindNamedRuns(roots);
  };
  const auto found = find();
  if (!found) RaiseIfError(found.error());
  nb::list list;
  for (const NamedRun& run : *found)
    list.append(nb::make_tuple(FromUtf8(run.name), FromPath(run.directory)));
  return list;
}

// An ExportTarget that is a folder.
class PyExportTarget {
 public:
  PyExportTarget(nb::handle path, bool replace) {
    auto opened = ExportTarget::Open(ToPath(path), ExportTarget::Kind::kFolder, replace);
    if (!opened) RaiseIfError(opened.error());
    target_.emplace(*std::move(opened));
  }
  nb::object temporary() const { return FromPath(Open().temporary()); }
  void Commit() { RaiseIfError(Open().Commit()); }
  void Discard() { target_.reset(); }

 private:
  ExportTarget& Open() const {
    if (!target_) throw nb::value_error("the target was discarded");
    return *target_;
  }
  mutable std::optional<ExportTarget> target_;
};

// The tags that a regular expression of RE2 chooses.
class PyTagFilter {
 public:
  PyTagFilter(const std::string& option, const std::string& pattern) {
    auto filter = MakeTagFilter(option, pattern);
    if (!filter) RaiseIfError(filter.error());
    filter_ = *std::move(filter);
  }
  bool operator()(const std::string& tag) const { return !filter_ || filter_(tag); }

 private:
  TagFilter filter_;
};

}  // namespace

void BindStoredRuns(nb::module_& module) {
  nb::class_<StoredRuns>(module, "StoredRuns", "The data of a runs.Runs.")
      .def("runs", &Runs, "All runs, by name.")
      .def("find", &Find, "name"_a,
           "The run with this name, or the part of a joined run; None if there is none.")
      .def("where", &Where, "query"_a, "The runs for which a query is true.")
      .def("sorted", &Sorted, "expression"_a, "descending"_a,
           "The runs, sorted by the value of an expression.")
      .def("refresh", &Refresh,
           "Reads what is new. For each run that changed: kind, name, the run, and the changes of "
           "its series.")
      .def("watch", &Watch,
           "From now on, refresh looks only at what changed. Returns a descriptor for select(), or "
           "-1.")
      .def("band", &BandOfTag, "tag"_a, "steps, counts, mean, min, max, deviation");
  nb::class_<PyExportTarget>(module, "ExportTarget",
                             "A folder that appears whole or not at all (export_target.h).")
      .def(nb::init<nb::handle, bool>(), "path"_a, "replace"_a)
      .def_prop_ro("temporary", &PyExportTarget::temporary, "The folder to write into.")
      .def("commit", &PyExportTarget::Commit, "Gives the folder its name.")
      .def("discard", &PyExportTarget::Discard, "Removes what was not committed.");
  nb::class_<PyTagFilter>(module, "TagFilter",
                          "The tags that a regular expression of RE2 chooses (tag_filter.h).")
      .def(nb::init<const std::string&, const std::string&>(), "option"_a, "pattern"_a)
      .def("__call__", &PyTagFilter::operator(), "tag"_a, "Whether it chooses the tag.");
  module.def("open_runs", &OpenAll, "paths"_a, "join"_a,
             "Opens every run in and below directories.");
  module.def("find_runs", &FindRuns, "paths"_a,
             "The names and directories of runs, named as in exports.");
}

}  // namespace sightline::python
