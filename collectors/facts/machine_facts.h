// The machine that a program runs on. Private to this folder.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace sightline {

// Adds "host", "system", "cpus", "memory_bytes", "devices", "nvidia_driver", "ascend_driver" and
// "cann" (docs/runs.md), each if it is known. Devices are those that files name, since a driver's
// library would take memory of a device. `root`: RunFactsOptions::root.
void AddMachineFacts(const std::string& root, nlohmann::ordered_json& facts);

}  // namespace sightline
