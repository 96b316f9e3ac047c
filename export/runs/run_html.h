// Runs as one HTML page that can be sent: a chart of every scalar, the lineage, images.
//
// The page needs no network and loads nothing. Its Content-Security-Policy allows only its own
// script; recorded texts are shown as text. A chart has all points, or at least kHtmlColumns
// columns, each with the minimum and the maximum of its points, so that no spike is lost. Numbers
// are float32; a column takes 16 bytes of the page.
//
// Images are the last one of each tag, PNG, GIF or JPEG as recorded, until the limit is reached.
#pragma once

#include <cstdint>
#include <memory>

#include "sightline/export/runs/run_export.h"

namespace sightline {

inline constexpr std::size_t kHtmlColumns = 1000;

// Writes to `file`, which Finish closes. `max_image_bytes`: for all images of the page together.
std::unique_ptr<RunWriter> MakeHtmlWriter(std::unique_ptr<WritableFile> file,
                                          std::uint64_t max_image_bytes);

}  // namespace sightline
