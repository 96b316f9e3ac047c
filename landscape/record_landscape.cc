#include "sightline/landscape/record_landscape.h"

#include "sightline/recorder/recorder.h"

namespace sightline::landscape {

Status RecordLandscape(FileSystem& file_system, const std::string& directory,
                       const std::string& tag, const LossLandscape& landscape) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string message, SerializeLandscape(landscape));
  RecorderOptions options;
  options.writing.file_system = &file_system;
  SIGHTLINE_ASSIGN_OR_RETURN(const auto recorder, Recorder::Open(directory, options));
  const Outcome outcome =
      recorder->AddMessage(recorder->Intern(tag), 0, ValueKind::kLandscape, message);
  const Status synced = recorder->Flush(FlushTo::kDisk);
  SIGHTLINE_RETURN_IF_ERROR(recorder->Close());
  SIGHTLINE_RETURN_IF_ERROR(synced);
  return outcome == Outcome::kAccepted
             ? Status()
             : Status(StatusCode::kFailedPrecondition, tag + " was not recorded");
}

}  // namespace sightline::landscape
