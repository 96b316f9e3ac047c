// Records arrays with the public interface, so that the tests in Python can compare what is in the
// files.
//
// Reads lines "<step> <kind> <tag> <file.npy>" from standard input, kind being that of a function
// Add below. A text is "**<tag>**", a hyper-parameter the first element of the array.
#include <CLI/CLI.hpp>
#include <cstdint>
#include <iostream>
#include <string>

#include "sightline/recorder/recorder.h"
#include "sightline/recorder/tensor/npy.h"
#include "sightline/recorder/tensor/tensor_data.h"

namespace sightline {
namespace {

double FirstOf(const NpyArray& array) {
  double first = 0;
  ConvertToFloat64(array.dtype, array.data.data(), 1, &first);
  return first;
}

// Rows of labels and predictions.
Outcome AddPrCurve(Recorder& recorder, const std::string& tag, std::int64_t step,
                   const NpyArray& array) {
  const TensorView rows = array.View();
  const std::span<const std::int64_t> count = rows.shape.subspan(1);
  const TensorView labels{rows.dtype, count, rows.data};
  const TensorView predictions{rows.dtype, count,
                               static_cast<const char*>(rows.data) + labels.ByteSize()};
  const auto curve = ComputePrCurve(labels, predictions);
  return curve ? recorder.AddPrCurve(tag, step, *curve) : Outcome::kInvalid;
}

Outcome Add(Recorder& recorder, const std::string& kind, const std::string& tag, std::int64_t step,
            const NpyArray& array) {
  constexpr double kSampleRate = 8000;
  if (kind == "tensor") return recorder.AddTensor(tag, step, array.View());
  if (kind == "histogram") return recorder.AddHistogram(tag, step, array.View());
  if (kind == "image") return recorder.AddImage(tag, step, array.View());
  if (kind == "scalar") return recorder.AddScalar(tag, step, FirstOf(array));
  if (kind == "audio") return recorder.AddAudio(tag, step, array.View(), kSampleRate);
  if (kind == "mesh") return recorder.AddMesh(tag, step, {.vertices = array.View()});
  if (kind == "pr_curve") return AddPrCurve(recorder, tag, step, array);
  if (kind == "text") return recorder.AddText(tag, step, "**" + tag + "**");
  if (kind == "hparams") {
    const HyperParameter parameter{tag, FirstOf(array)};
    const std::string metrics[] = {"accuracy"};
    return recorder.AddHyperParameters(step, {&parameter, 1}, metrics);
  }
  return Outcome::kInvalid;
}

Status RecordManifest(std::istream& manifest, Recorder& recorder) {
  std::int64_t step = 0;
  std::string kind;
  std::string tag;
  std::string path;
  while (manifest >> step >> kind >> tag >> path) {
    SIGHTLINE_ASSIGN_OR_RETURN(const NpyArray array, ReadNpyFile(FileSystem::Local(), path));
    if (Add(recorder, kind, tag, step, array) != Outcome::kAccepted) {
      return Status(StatusCode::kInvalidArgument,
                    kind + " " + tag + ": " + recorder.Stats().first_error.ToString());
    }
  }
  return recorder.Close();
}

Status Run(const std::string& directory, const RecorderOptions& options) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto recorder, Recorder::Open(directory, options));
  return RecordManifest(std::cin, *recorder);
}

}  // namespace
}  // namespace sightline

int main(int argc, char** argv) {
  CLI::App app("Records the values that standard input lists");
  std::string directory;
  bool tensorboard = false;
  sightline::RecorderOptions options;
  app.add_option("directory", directory)->required();
  app.add_flag("--tensorboard", tensorboard, "write TensorBoard's dialect, too");
  app.add_flag("--npy", options.export_npy, "export tensors as .npy files");
  app.add_option("--max-file-size", options.max_file_size,
                 "bytes after which the next file begins");
  CLI11_PARSE(app, argc, argv);
  if (tensorboard) options.formats.push_back(sightline::Format::kTensorBoard);

  const sightline::Status status = sightline::Run(directory, options);
  if (status.ok()) return 0;
  std::cerr << status.ToString() << '\n';
  return 1;
}
