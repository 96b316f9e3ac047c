// Values that only TensorBoard shows: texts, sound, precision-recall curves, meshes,
// hyper-parameters, layouts of charts, and graphs, histograms and pictures that are already made.
// Each function returns the bytes of a ValueKind::kTensorBoardEvent. Tags, plugin names and
// contents are those of PyTorch's torch.utils.tensorboard (tensorboard/plugins/*/*.proto,
// version 2.21).
//
// Recorder has methods for the common ones (AddText, AddAudio, AddPrCurve, AddMesh,
// AddHyperParameters). The others are recorded like this:
//
//   recorder->AddMessage("", 0, ValueKind::kTensorBoardEvent, SerializeChartLayout(layout));
//
// Plain values and pure functions; any thread may call them. In texts, bytes that are not UTF-8 are
// replaced as in tags. Arrays may have any dtype but complex ones.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/recorder/message/pr_curve.h"
#include "sightline/recorder/tensor/tensor_view.h"

namespace sightline {

// A text, which TensorBoard shows as Markdown. Its tag in the file is "<tag>/text_summary".
std::string SerializeText(std::string_view tag, std::string_view text);

// A sound: one channel of samples from -1 to 1, as a WAV file with 16 bits. Samples outside of that
// range are clipped, and NaN is silence. kInvalidArgument unless exactly one dimension of `samples`
// has a size other than 1, and `sample_rate`, in Hz, is at least 1 and below 2^31.
Result<std::string> SerializeAudio(std::string_view tag, const TensorView& samples,
                                   double sample_rate);

// A precision-recall curve (pr_curve.h). kInvalidArgument unless its columns have the same size.
Result<std::string> SerializePrCurve(std::string_view tag, const PrCurve& curve);

// Points in space, or triangles. Each array has the shape (batch, n, 3).
struct Mesh {
  TensorView vertices;
  std::optional<TensorView> colors = std::nullopt;  // Of the vertices: 0 to 255.
  std::optional<TensorView> faces = std::nullopt;   // Triangles: the numbers of three vertices.
  std::string config_json = "{}";                   // For three.js: lights, camera, material.
};
// Gives the values "<tag>_VERTEX", "<tag>_FACE" and "<tag>_COLOR". kInvalidArgument if an array has
// another shape.
Result<std::string> SerializeMesh(std::string_view tag, const Mesh& mesh);

// A hyper-parameter of a run, for the HPARAMS page.
struct HyperParameter {
  using Value = std::variant<bool, std::int64_t, double, std::string>;
  std::string name;
  Value value;
  std::optional<std::vector<Value>> allowed = std::nullopt;  // The values it may have; none: any.
};
// A run's row on the HPARAMS page: its hyper-parameters, the tags of the scalars that are its
// metrics, and that it ended well.
std::string SerializeHyperParameters(std::span<const HyperParameter> parameters,
                                     std::span<const std::string> metrics);

// Which scalars share a chart on the page CUSTOM SCALARS.
struct ChartLayout {
  struct Chart {
    std::string title;
    std::vector<std::string> tags;
    // A margin chart shows a value between a lower and an upper one: the three tags.
    bool margin = false;
  };
  struct Category {
    std::string title;
    std::vector<Chart> charts;
  };
  std::vector<Category> categories;
};
// kInvalidArgument if a margin chart does not have three tags.
Result<std::string> SerializeChartLayout(const ChartLayout& layout);

// A scalar in TensorFlow 2's form, a tensor of one number. It can hold a float64, which
// Recorder::AddScalar cannot.
std::string SerializeScalarTensor(std::string_view tag, double value, bool is_float64);

// A histogram that is already counted.
struct CountedHistogram {
  double min = 0;
  double max = 0;
  double count = 0;
  double sum = 0;
  double sum_squares = 0;
  std::vector<double> limits = {};  // The upper limit of each bucket.
  std::vector<double> counts = {};  // How many values are in it.
};
// kInvalidArgument unless there are as many limits as counts.
Result<std::string> SerializeCountedHistogram(std::string_view tag,
                                              const CountedHistogram& histogram);

// A picture as the bytes of a PNG, GIF or JPEG file. `channels`: 1 grey, 2 grey and alpha, 3 RGB,
// 4 RGBA.
std::string SerializePicture(std::string_view tag, std::int64_t height, std::int64_t width,
                             std::int64_t channels, std::string_view encoded);

// A node of a graph in TensorFlow's form (GraphDef), for graphs of other frameworks.
// recorder/message/graph.h has the graph that both dialects hold.
struct TensorBoardNode {
  std::string name;  // With its scopes: "Net/fc1/12".
  std::string op;
  std::vector<std::string> inputs = {};                           // Names of nodes.
  std::optional<std::vector<std::int64_t>> shape = std::nullopt;  // Of its output.
  std::string attributes = {};                                    // As a text.
};
std::string SerializeTensorBoardGraph(std::span<const TensorBoardNode> nodes);

}  // namespace sightline
