#include "sightline/profiler/analysis/finding_json.h"

#include <nlohmann/json.hpp>

namespace sightline::profiler {

nlohmann::ordered_json FindingToJson(const Finding& finding) {
  return {{"rule", finding.rule},         {"subject", finding.subject}, {"what", finding.what},
          {"evidence", finding.evidence}, {"change", finding.change},   {"share", finding.share}};
}

}  // namespace sightline::profiler
