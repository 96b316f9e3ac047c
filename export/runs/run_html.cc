#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <variant>

#include "sightline/base/digest/sha256.h"
#include "sightline/base/text/number_text.h"
#include "sightline/base/utf8.h"
#include "sightline/base/wire.h"
#include "sightline/export/runs/base64.h"
#include "sightline/export/runs/buffered_file.h"
#include "sightline/export/runs/html_page.h"
#include "sightline/export/runs/run_writers.h"
#include "sightline/runs/model/nonfinite_note.h"

namespace sightline {
namespace {

// Text that a page shows as it is: nothing in it is markup, in elements and quoted attributes.
std::string Inert(std::string_view text) {
  std::string inert;
  for (const char c : ToUtf8(text)) {
    switch (c) {
      case '&':
        inert += "&amp;";
        break;
      case '<':
        inert += "&lt;";
        break;
      case '>':
        inert += "&gt;";
        break;
      case '"':
        inert += "&quot;";
        break;
      case '\'':
        inert += "&#39;";
        break;
      case '\0':
        inert += "\xef\xbf\xbd";
        break;
      default:
        inert += c;
    }
  }
  return inert;
}

std::string Text(const LineageValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return Inert(*text);
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return fmt::to_string(*integer);
  return NumberText(std::get<double>(value));
}

// What a session ran on (docs/runs.md) as far as it tells of its user: an exported file is for
// others.
bool IsPrivate(std::string_view name) {
  return name == "run.command" || name.starts_with("run.env.");
}

// The type of an encoded image that goes into the page; empty for others, which are left out.
std::string_view MediaType(std::string_view encoded) {
  if (encoded.starts_with("\x89PNG\r\n\x1a\n")) return "image/png";
  if (encoded.starts_with("GIF8")) return "image/gif";
  if (encoded.starts_with("\xff\xd8\xff")) return "image/jpeg";
  return {};
}

std::string SourceHash(std::string_view source) {
  return "'sha256-" + Base64(Sha256(source)) + "'";
}

class HtmlWriter final : public RunWriter {
 public:
  HtmlWriter(std::unique_ptr<WritableFile> file, std::uint64_t max_image_bytes)
      : out_(std::move(file)), images_left_(max_image_bytes) {
    out_.Append(fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
        "style-src {}; script-src {}\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<title>Runs</title>\n<style>{}</style></head>\n<body><header><h1>Runs</h1>\n"
        "<input type=\"search\" placeholder=\"tags that contain\" aria-label=\"Show only tags that "
        "contain\"></header>\n",
        SourceHash(kHtmlStyle), SourceHash(kHtmlScript), kHtmlStyle));
  }

  Status BeginRun(const Run& run) override {
    run_ = &run;
    out_.Append(fmt::format("<section><h2>{}</h2>\n", Inert(run.name())));
    if (!run.lineage().empty()) {
      out_.Append("<table>\n");
      for (const auto& [name, value] : run.lineage()) {
        if (IsPrivate(name)) continue;
        out_.Append(fmt::format("<tr><td>{}</td><td>{}</td></tr>\n", Inert(name), Text(value)));
      }
      out_.Append("</table>\n");
    }
    out_.Append("<div class=\"grid\">\n");
    return out_.status();
  }

  bool Takes(ContentKind kind) const override {
    switch (kind) {
      case ContentKind::kScalar:
      case ContentKind::kImage:
        return true;
      case ContentKind::kHistogram:
      case ContentKind::kTensor:
      case ContentKind::kLandscape:
      case ContentKind::kAudio:
      case ContentKind::kText:
      case ContentKind::kPlugin:
      case ContentKind::kUnknown:
        return false;
    }
    return false;
  }
  bool Takes(EventKind kind) const override {
    return kind == EventKind::kTrainLineage || kind == EventKind::kEvaluationLineage ||
           kind == EventKind::kCustomLineage;
  }
  bool TakesLastOnly() const override { return true; }

  Status Scalars(const Series& series, std::size_t begin, std::size_t end) override;

  Status Value(const SeriesKey& key, const StoredValue& value) override {
    const auto image = value.Image();
    const std::string_view type = image ? MediaType(image->encoded) : "";
    if (type.empty()) {
      LeaveOut("image", "not a PNG, GIF or JPEG");
      return {};
    }
    const std::uint64_t bytes = (image->encoded.size() + 2) / 3 * 4;
    if (bytes > images_left_) {
      LeaveOut("image", "beyond --max-mb");
      return {};
    }
    images_left_ -= bytes;
    out_.Append(fmt::format(
        "<figure><figcaption>{}</figcaption><img alt=\"\" "
        "src=\"data:{};base64,{}\"><p>step {}{}</p></figure>\n",
        Title(key), type, Base64(image->encoded), value.event().step, NoteOfOthers(key)));
    Wrote("image");
    return out_.status();
  }

  Status Event(EventKind kind, const StoredValue&) override {
    Wrote(EventKindName(kind));  // By BeginRun.
    return {};
  }
  Status EndRun(const Run&) override {
    out_.Append("</div></section>\n");
    return out_.status();
  }
  Status Finish() override {
    out_.Append(fmt::format("<script>{}</script></body></html>\n", kHtmlScript));
    return out_.Close();
  }

 private:
  std::string Title(const SeriesKey& key) const {
    const auto shown = run_->display_names().find(key.tag);
    const std::string tag = shown == run_->display_names().end()
                                ? Inert(key.tag)
                                : fmt::format("{} ({})", Inert(shown->second), Inert(key.tag));
    return tag + (key.rank == 0 ? "" : fmt::format(", rank {}", key.rank));
  }

  // Says of the last image of a tag that there are others, and where.
  std::string NoteOfOthers(const SeriesKey& key) const {
    const Series* series = run_->Find(key.kind, key.tag, key.rank);
    if (series == nullptr || series->size() < 2) return "";
    return fmt::format(
        ", 1 of {} images; <code>sightline export --format npz</code> writes the pixels of all",
        series->size());
  }

  BufferedFile out_;
  std::uint64_t images_left_;
  const Run* run_ = nullptr;  // The run at hand.
};

Status HtmlWriter::Scalars(const Series& series, std::size_t begin, std::size_t end) {
  const auto columns = series.ColumnsByPosition(begin, end, std::min(end - begin, kHtmlColumns));
  const std::int64_t first = series.steps()[begin];
  const auto offset = [&](std::int64_t step) {
    return static_cast<std::uint64_t>(step) - static_cast<std::uint64_t>(first);
  };
  const std::uint64_t scale =
      offset(series.steps()[end - 1]) / std::numeric_limits<std::uint32_t>::max() + 1;
  std::string bytes;
  for (const SeriesColumn& column : columns) {
    wire::AppendFixed(bytes, static_cast<std::uint32_t>(offset(column.first_step) / scale));
    wire::AppendFixed(bytes, static_cast<float>(column.extremes.min));
    wire::AppendFixed(bytes, static_cast<float>(column.extremes.max));
  }
  const Extremes all = series.ExtremesOf(begin, end);
  std::string note = fmt::format("{} values", end - begin);
  if (!std::isnan(all.min))
    note += fmt::format(", {} to {}", NumberText(all.min), NumberText(all.max));
  note += fmt::format(", last {}", NumberText(series.values()[end - 1]));
  if (const std::string not_finite = NonFiniteNote(series, begin, end); !not_finite.empty())
    note += ", " + not_finite;
  out_.Append(
      fmt::format("<figure><figcaption>{}</figcaption><canvas data-s=\"{}\" data-k=\"{}\" "
                  "data-c=\"{}\"></canvas><p>{}</p></figure>\n",
                  Title(series.key()), first, scale, Base64(bytes), note));
  Wrote("scalar", end - begin);
  return out_.status();
}

}  // namespace

std::unique_ptr<RunWriter> MakeHtmlWriter(std::unique_ptr<WritableFile> file,
                                          std::uint64_t max_image_bytes) {
  return std::make_unique<HtmlWriter>(std::move(file), max_image_bytes);
}

}  // namespace sightline
