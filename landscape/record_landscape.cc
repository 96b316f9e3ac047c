#include "sightline/landscape/record_landscape.h"

#include "sightline/recorder/recorder.h"

namespace sightline::landscape {

Status RecordLandscape(const std::string& directory, const std::string& tag,
                       const LossLandscape& landscape) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string message, SerializeLandscape(landscape));
  SIGHTLINE_ASSIGN_OR_RETURN(const auto recorder, Recorder::Open(directory, RecorderOptions()));
  const Outcome outcome =
      recorder->AddMessage(ValueKind::kLandscape, recorder->Intern(tag), 0, message);
  SIGHTLINE_RETURN_IF_ERROR(recorder->Close());
  return outcome == Outcome::kAccepted
             ? Status()
             : Status(StatusCode::kFailedPrecondition, tag + " could not be recorded");
}

}  // namespace sightline::landscape
