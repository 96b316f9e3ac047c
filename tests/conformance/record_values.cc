// Records arrays with the public interface, so that the tests in Python can compare what is in the
// files.
//
// Reads lines "<step> <kind> <tag> <file.npy>" from standard input, kind being scalar, tensor,
// histogram or image.
#include <CLI/CLI.hpp>
#include <cstdint>
#include <iostream>
#include <string>

#include "sightline/recorder/recorder.h"
#include "sightline/recorder/tensor/npy.h"
#include "sightline/recorder/tensor/tensor_data.h"

namespace sightline {
namespace {

Result<Value> ValueOf(const std::string& kind, const NpyArray& array) {
  if (kind == "tensor") return Value::Tensor(array.View());
  if (kind == "histogram") return Value::Histogram(array.View());
  if (kind == "image") return Value::Image(array.View());
  if (kind == "scalar") {
    double first = 0;
    ConvertToFloat64(array.dtype, array.data.data(), 1, &first);
    return Value::Scalar(first);
  }
  return Error(StatusCode::kInvalidArgument, "unknown kind '" + kind + "'");
}

Status RecordManifest(std::istream& manifest, Recorder& recorder) {
  std::int64_t step = 0;
  std::string kind;
  std::string tag;
  std::string path;
  while (manifest >> step >> kind >> tag >> path) {
    SIGHTLINE_ASSIGN_OR_RETURN(const NpyArray array, ReadNpyFile(FileSystem::Local(), path));
    SIGHTLINE_ASSIGN_OR_RETURN(const Value value, ValueOf(kind, array));
    if (recorder.Add(tag, step, value) != Outcome::kAccepted)
      return recorder.Stats().first_error.WithContext(tag);
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
