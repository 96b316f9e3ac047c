#include "sightline/python/native/core/tensorboard_values.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sightline/python/native/common/failures.h"
#include "sightline/python/native/common/objects.h"
#include "sightline/python/native/core/array.h"
#include "sightline/python/native/core/number.h"
#include "sightline/recorder/message/tensorboard_values.h"
#include "sightline/recorder/tensor/tensor_data.h"

namespace sightline::python {
namespace {

nb::bytes BytesOf(const Result<std::string>& event) {
  if (!event) RaiseIfError(event.error());
  return nb::bytes(event->data(), event->size());
}

// The UTF-8 of a str; "?" for a lone surrogate. Raises TypeError for anything else.
std::string TextOf(nb::handle text) {
  if (!PyUnicode_Check(text.ptr())) {
    throw nb::type_error(("a text is a str, not " + TypeNameOf(text)).c_str());
  }
  const nb::object utf8 = nb::steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "replace"));
  if (!utf8.is_valid()) throw nb::python_error();
  return std::string(BytesView(utf8));
}

std::vector<std::string> TextsOf(nb::handle texts) {
  std::vector<std::string> list;
  for (const nb::handle text : texts) list.push_back(TextOf(text));
  return list;
}

std::vector<double> NumbersOf(nb::handle values) {
  const Array array(values);
  const TensorView view = array.view();
  std::vector<double> numbers(view.ElementCount());
  ConvertToFloat64(view.dtype, view.data, numbers.size(), numbers.data());
  return numbers;
}

std::optional<Array> ArrayUnlessNone(nb::handle object) {
  return object.is_none() ? std::nullopt : std::make_optional<Array>(object);
}

std::optional<TensorView> ViewOf(const std::optional<Array>& array) {
  return array ? std::make_optional(array->view()) : std::nullopt;
}

nb::bytes AudioEvent(nb::handle tag, nb::handle samples, nb::handle sample_rate) {
  const Array array(samples);
  return BytesOf(SerializeAudio(TextOf(tag), array.view(), ToNumber(sample_rate)));
}

nb::bytes PrCurveEvent(nb::handle tag, nb::handle labels, nb::handle predictions,
                       std::int64_t num_thresholds, nb::handle weights) {
  const Array truth(labels);
  const Array guess(predictions);
  const std::optional<Array> weight = ArrayUnlessNone(weights);
  const auto curve = ComputePrCurve(truth.view(), guess.view(), num_thresholds, ViewOf(weight));
  if (!curve) RaiseIfError(curve.error());
  return BytesOf(SerializePrCurve(TextOf(tag), *curve));
}

nb::bytes PrCurveRowsEvent(nb::handle tag, nb::handle rows, std::int64_t num_thresholds) {
  PrCurve curve{.num_thresholds = num_thresholds};
  std::vector<double>* const columns[] = {&curve.true_positives, &curve.false_positives,
                                          &curve.true_negatives, &curve.false_negatives,
                                          &curve.precision,      &curve.recall};
  const auto given = nb::cast<nb::tuple>(rows);
  if (given.size() != std::size(columns)) throw nb::value_error("a curve has six rows");
  for (std::size_t i = 0; i < given.size(); ++i) *columns[i] = NumbersOf(given[i]);
  return BytesOf(SerializePrCurve(TextOf(tag), curve));
}

nb::bytes MeshEvent(nb::handle tag, nb::handle vertices, nb::handle colors, nb::handle faces,
                    nb::handle config_json) {
  const Array points(vertices);
  const std::optional<Array> color = ArrayUnlessNone(colors);
  const std::optional<Array> face = ArrayUnlessNone(faces);
  return BytesOf(SerializeMesh(TextOf(tag), {.vertices = points.view(),
                                             .colors = ViewOf(color),
                                             .faces = ViewOf(face),
                                             .config_json = TextOf(config_json)}));
}

HyperParameter::Value HyperParameterOf(nb::handle value) {
  if (PyBool_Check(value.ptr())) return value.ptr() == Py_True;
  if (PyFloat_Check(value.ptr())) return PyFloat_AsDouble(value.ptr());
  return TextOf(value);
}

// parameters: (name, value, the values it may have or None); values are bool, float or str.
nb::bytes HyperParametersEvent(nb::handle parameters, nb::handle metrics) {
  std::vector<HyperParameter> list;
  for (const nb::handle row : parameters) {
    HyperParameter& parameter =
        list.emplace_back(HyperParameter{TextOf(row[0]), HyperParameterOf(row[1])});
    if (row[2].is_none()) continue;
    parameter.allowed.emplace();
    const nb::object allowed = row[2];
    for (const nb::handle value : allowed) parameter.allowed->push_back(HyperParameterOf(value));
  }
  const std::vector<std::string> tags = TextsOf(metrics);
  return BytesOf(SerializeHyperParameters(list, tags));
}

// layout: {category: {chart: ("Multiline" or "Margin", tags)}}.
nb::bytes ChartLayoutEvent(const nb::dict& layout) {
  ChartLayout categories;
  for (const auto& [title, charts] : layout) {
    ChartLayout::Category& category = categories.categories.emplace_back();
    category.title = TextOf(title);
    for (const auto& [name, content] : nb::cast<nb::dict>(charts)) {
      const bool margin = TextOf(content[0]) == "Margin";
      category.charts.push_back({TextOf(name), TextsOf(content[1]), margin});
    }
  }
  return BytesOf(SerializeChartLayout(categories));
}

nb::bytes HistogramEvent(nb::handle tag, nb::handle min, nb::handle max, nb::handle count,
                         nb::handle sum, nb::handle sum_squares, nb::handle limits,
                         nb::handle counts) {
  return BytesOf(SerializeCountedHistogram(TextOf(tag), {.min = ToNumber(min),
                                                         .max = ToNumber(max),
                                                         .count = ToNumber(count),
                                                         .sum = ToNumber(sum),
                                                         .sum_squares = ToNumber(sum_squares),
                                                         .limits = NumbersOf(limits),
                                                         .counts = NumbersOf(counts)}));
}

// nodes: (name, op, inputs, shape or None, attributes).
nb::bytes GraphEvent(nb::handle nodes) {
  std::vector<TensorBoardNode> list;
  for (const nb::handle node : nodes) {
    TensorBoardNode& out = list.emplace_back();
    out.name = TextOf(node[0]);
    out.op = TextOf(node[1]);
    out.inputs = TextsOf(node[2]);
    if (!node[3].is_none()) out.shape = nb::cast<std::vector<std::int64_t>>(node[3]);
    out.attributes = TextOf(node[4]);
  }
  return BytesOf(SerializeTensorBoardGraph(list));
}

}  // namespace

void BindTensorBoardValues(nb::module_& module) {
  using nb::literals::operator""_a;  // NOLINT(misc-unused-using-decls)
  module.def(
      "_text_event",
      [](nb::handle tag, nb::handle text) {
        return BytesOf(SerializeText(TextOf(tag), TextOf(text)));
      },
      "tag"_a, "text"_a);
  module.def("_audio_event", &AudioEvent, "tag"_a, "samples"_a, "sample_rate"_a);
  module.def("_pr_curve_event", &PrCurveEvent, "tag"_a, "labels"_a, "predictions"_a,
             "num_thresholds"_a, "weights"_a.none());
  module.def("_pr_curve_rows_event", &PrCurveRowsEvent, "tag"_a, "rows"_a, "num_thresholds"_a);
  module.def("_mesh_event", &MeshEvent, "tag"_a, "vertices"_a, "colors"_a.none(), "faces"_a.none(),
             "config_json"_a);
  module.def("_hyper_parameters_event", &HyperParametersEvent, "parameters"_a, "metrics"_a);
  module.def("_chart_layout_event", &ChartLayoutEvent, "layout"_a);
  module.def(
      "_scalar_event",
      [](nb::handle tag, nb::handle value, bool is_float64) {
        return BytesOf(SerializeScalarTensor(TextOf(tag), ToNumber(value), is_float64));
      },
      "tag"_a, "value"_a, "is_float64"_a);
  module.def("_histogram_event", &HistogramEvent, "tag"_a, "min"_a, "max"_a, "count"_a, "sum"_a,
             "sum_squares"_a, "limits"_a, "counts"_a);
  module.def(
      "_picture_event",
      [](nb::handle tag, std::int64_t height, std::int64_t width, std::int64_t channels,
         const nb::bytes& encoded) {
        return BytesOf(SerializePicture(TextOf(tag), height, width, channels,
                                        {encoded.c_str(), encoded.size()}));
      },
      "tag"_a, "height"_a, "width"_a, "channels"_a, "encoded"_a);
  module.def("_graph_event", &GraphEvent, "nodes"_a);
}

}  // namespace sightline::python
