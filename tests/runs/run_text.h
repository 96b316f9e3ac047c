// Everything that a run says of itself, as text, to compare two of them.
#pragma once

#include <fmt/format.h>

#include <bit>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "sightline/runs/model/run.h"

namespace sightline::testing {

inline std::string Text(const std::vector<std::shared_ptr<const Series>>& all) {
  std::string text;
  for (const auto& series : all) {
    const SeriesKey& key = series->key();
    text += fmt::format("{} {} {} {} {}+{}+{}:", static_cast<int>(key.kind), key.plugin, key.tag,
                        key.rank, series->recorded().in_mindspore,
                        series->recorded().in_tensorboard, series->recorded().in_others);
    for (std::size_t i = 0; i < series->size(); ++i) {
      text += fmt::format(" {}@{}=", series->steps()[i],
                          std::bit_cast<std::uint64_t>(series->wall_times()[i]));
      if (series->is_scalar()) {
        text += fmt::format("{}", std::bit_cast<std::uint64_t>(series->values()[i]));
      } else {
        const HeavyPoint point = series->point(i);
        text += fmt::format("{}+{}#{}.{}", point.file, point.offset, point.value, point.item);
      }
    }
    if (series->is_scalar()) {
      const Extremes extremes = series->ExtremesOf(0, series->size());
      text += fmt::format(" {} to {} of {}", extremes.min, extremes.max, extremes.count);
    }
    text += "\n";
  }
  return text;
}

inline std::vector<std::shared_ptr<const Series>> All(
    std::span<const std::shared_ptr<const Series>> series) {
  return {series.begin(), series.end()};
}

// Everything that a run says of itself.
inline std::string Text(const ::sightline::Run& run) {
  std::string text = run.name() + " " + run.directory() + "\n";
  for (const RunFile& file : run.files()) {
    text += fmt::format("{} {} {} {} {} {} {} {} {}", file.path, static_cast<int>(file.kind),
                        file.bytes, file.records, file.unchecked, file.journal_records, file.rank,
                        file.superseded_from.value_or(-1), file.status.ToString());
    for (const SkippedRegion& region : file.damage) {
      text +=
          fmt::format(" [{}+{} {}]", region.offset, region.length, SkipReasonName(region.reason));
    }
    if (file.session) text += " " + file.session->session_id;
    for (const auto& kind : file.unread) text += fmt::format(" {} {}", kind.second, kind.first);
    text += "\n";
  }
  text += Text(All(run.series())) + "superseded\n" + Text(All(run.superseded()));
  for (const auto& [kind, points] : run.events()) {
    text += fmt::format("event {}:", static_cast<int>(kind));
    for (const HeavyPoint& point : points)
      text += fmt::format(" {} {} {}+{}", point.step, point.wall_time, point.file, point.offset);
    text += "\n";
  }
  for (const auto& [kind, count] : run.event_counts())
    text += fmt::format("{} of {}\n", count, static_cast<int>(kind));
  for (const auto& pair : run.lineage()) {  // Clang 14 cannot capture a part of it.
    text += std::visit([&](const auto& held) { return fmt::format("{}={}\n", pair.first, held); },
                       pair.second);
  }
  return text + fmt::format("{} {} {} {} {} {} {} {}\n", run.first_wall_time().value_or(-1),
                            run.last_wall_time().value_or(-1), run.signs().ours,
                            run.signs().journal, run.signs().last_change,
                            run.signs().usual_interval.value_or(0), run.sessions().size(),
                            run.signs().closed);
}

}  // namespace sightline::testing
