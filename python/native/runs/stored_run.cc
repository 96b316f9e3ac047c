#include "sightline/python/native/runs/stored_run.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "sightline/base/file_system.h"
#include "sightline/python/native/common/failures.h"
#include "sightline/python/native/common/path.h"
#include "sightline/runs/run_follower.h"

namespace sightline::python {
namespace {

// clang-tidy 14 does not see where it is used.
using nb::literals::operator""_a;  // NOLINT(misc-unused-using-decls)

StoredRun Open(nb::handle path, std::string name) {
  const std::string directory = ToPath(path);
  RaiseIfError(CheckLocalPath("path", directory));
  const auto open = [&] {
    const nb::gil_scoped_release released;
    return Run::Open(directory, {.name = std::move(name)});
  };
  auto run = open();
  if (!run) RaiseIfError(run.error());
  return {*std::move(run)};
}

nb::object ToObject(const LineageValue& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return nb::int_(*integer);
  if (const auto* number = std::get_if<double>(&value)) return nb::float_(*number);
  return FromUtf8(std::get<std::string>(value));
}

nb::dict Lineage(const StoredRun& self) {
  nb::dict lineage;
  for (const auto& [name, value] : self.run->lineage()) lineage[FromUtf8(name)] = ToObject(value);
  return lineage;
}

nb::object TextOrNone(bool present, std::string_view text) {
  return present ? FromUtf8(text) : nb::none();
}

nb::list Files(const StoredRun& self) {
  nb::list files;
  for (const RunFile& file : self.run->files()) {
    nb::list damage;
    for (const SkippedRegion& region : file.damage) {
      damage.append(
          nb::make_tuple(region.offset, region.length, FromUtf8(SkipReasonName(region.reason))));
    }
    files.append(nb::make_tuple(
        FromPath(file.path), FromUtf8(file.KindName()), file.bytes, file.records,
        file.journal_records, file.rank,
        TextOrNone(file.session.has_value(), file.session ? file.session->session_id : ""), damage,
        TextOrNone(!file.status.ok(), file.status.message())));
  }
  return files;
}

nb::dict Events(const StoredRun& self) {
  nb::dict events;
  for (const auto& [kind, count] : self.run->event_counts())
    events[FromUtf8(EventKindName(kind))] = count;
  return events;
}

// The number of events that are not a value of a tag, by kind: graphs, lineage, ...
nb::dict Asides(const StoredRun& self) {
  nb::dict asides;
  for (const auto& [kind, points] : self.run->events())
    asides[FromUtf8(EventKindName(kind))] = points.size();
  return asides;
}

// For each graph: (whether it is MindSpore's GraphProto, the message).
nb::list Graphs(const StoredRun& self) {
  nb::list graphs;
  const auto found = self.run->events().find(EventKind::kGraph);
  if (found == self.run->events().end()) return graphs;
  for (const HeavyPoint& point : found->second) {
    const auto read = [&] {
      const nb::gil_scoped_release released;
      return self.run->Read(point);
    };
    const auto stored = read();
    if (!stored) RaiseIfError(stored.error());
    const std::string_view body = stored->event().body;
    graphs.append(nb::make_tuple(stored->file_kind() != EventFileKind::kTensorBoard,
                                 nb::bytes(body.data(), body.size())));
  }
  return graphs;
}

// What changed: nothing, or (kind, the run now or None, changes of its series).
struct News {
  const char* kind = nullptr;
  std::shared_ptr<const Run> run;
  std::vector<SeriesChange> series;
};

News NewsOf(const std::shared_ptr<const Run>& before) {
  const auto run = RunFollower(before).Refresh();
  if (!run) return {"gone", nullptr, {}};
  if (*run == before) return {};
  const bool replaced = before->files()[0].path != (*run)->files()[0].path;
  return {replaced ? "replaced" : "changed", *run, SeriesChanges(*before, **run)};
}

nb::object Refreshed(const StoredRun& self) {
  const auto read = [&] {
    const nb::gil_scoped_release released;
    return NewsOf(self.run);
  };
  const News news = read();
  if (news.kind == nullptr) return nb::none();
  const nb::object run = news.run ? nb::cast(StoredRun{news.run}) : nb::none();
  return nb::make_tuple(news.kind, run, ToList(news.series));
}

}  // namespace

nb::list ToList(const std::shared_ptr<const Run>& run,
                std::span<const std::shared_ptr<const Series>> series) {
  nb::list list;
  for (const auto& one : series) list.append(StoredSeries{run, one});
  return list;
}

nb::list ToList(const std::vector<SeriesChange>& changes) {
  nb::list list;
  for (const SeriesChange& change : changes) {
    nb::object void_from = nb::none();
    if (change.void_from) void_from = nb::int_(*change.void_from);
    list.append(nb::make_tuple(FromUtf8(ContentKindName(change.key.kind)),
                               FromUtf8(change.key.plugin), FromUtf8(change.key.tag),
                               change.key.rank, change.appended_from, void_from));
  }
  return list;
}

void BindStoredRun(nb::module_& module) {
  nb::class_<StoredRun>(module, "StoredRun", "The data of a runs.Run.")
      .def_prop_ro(
          "name", [](const StoredRun& self) { return FromUtf8(self.run->name()); },
          "Its path below the root.")
      .def_prop_ro(
          "directory", [](const StoredRun& self) { return FromPath(self.run->directory()); },
          "Its path.")
      .def_prop_ro(
          "started", [](const StoredRun& self) { return self.run->first_wall_time(); },
          "Unix time of the first event; None without one.")
      .def_prop_ro(
          "ended", [](const StoredRun& self) { return self.run->last_wall_time(); },
          "Unix time of the last event; None without one.")
      .def_prop_ro(
          "damaged", [](const StoredRun& self) { return self.run->damaged(); },
          "Whether something could not be read.")
      .def(
          "state", [](const StoredRun& self) { return FromUtf8(RunStateName(self.run->State())); },
          "Its state now, in one word.")
      .def("lineage", &Lineage, "How the training was set up, and its results.")
      .def("files", &Files,
           "path, kind, bytes, records, journal_records, rank, session_id, damage (offset, length, "
           "reason), error")
      .def("events", &Events, "How many events there are of each kind.")
      .def("asides", &Asides,
           "How many events there are of each kind that has no tag: graphs, lineage, ...")
      .def("graphs", &Graphs,
           "For each graph: whether it is MindSpore's GraphProto, and the message.")
      .def(
          "series", [](const StoredRun& self) { return ToList(self.run, self.run->series()); },
          "All series.")
      .def(
          "superseded",
          [](const StoredRun& self) { return ToList(self.run, self.run->superseded()); },
          "The points that do not count, since their steps were recorded again.")
      .def("refreshed", &Refreshed,
           "What changed since then: kind, the run now, changes of its series. None if nothing "
           "changed.");
  module.def("open_run", &Open, "path"_a, "name"_a, "Opens the run in one directory.");
}

}  // namespace sightline::python
