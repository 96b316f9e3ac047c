// Runs as one HTML page to send: a chart of every scalar, the lineage, images.
//
// The page opens from a disk without a network, loads nothing and evaluates nothing: its policy
// (Content-Security-Policy) allows its own script only, and recorded texts are text. A chart has
// kHtmlColumns columns at least, or its points: each column has the minimum and the maximum of its
// points, so that no spike is lost. Numbers are float32; a column takes 16 bytes of the page.
//
// Images: of each tag the last one, PNG, GIF or JPEG as recorded, until the limit is reached.
#pragma once

#include <cstdint>
#include <memory>

#include "sightline/export/run_export.h"

namespace sightline {

inline constexpr std::size_t kHtmlColumns = 1000;

// Into `file`, which Finish closes. `max_image_bytes`: of all images in the page.
std::unique_ptr<RunWriter> MakeHtmlWriter(std::unique_ptr<WritableFile> file,
                                          std::uint64_t max_image_bytes);

}  // namespace sightline
