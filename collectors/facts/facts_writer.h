// FactsWriter: keeps what a program runs on (run_facts.h) for a session, by a thread of its own, so
// that no step waits for git or for the files of drivers.
//
// One thread at a time. In a forked child its destructor does not wait. Private to collectors/.
#pragma once

#include <unistd.h>

#include <string>
#include <thread>

namespace sightline {

class FactsWriter {
 public:
  // The environment and the working directory are what they are now. If the system has no thread to
  // give, or the file cannot be written, there are no facts.
  FactsWriter(const std::string& directory, const std::string& session_id);
  ~FactsWriter();  // Waits until they are kept.
  FactsWriter(const FactsWriter&) = delete;
  FactsWriter& operator=(const FactsWriter&) = delete;

 private:
  const pid_t process_ = getpid();
  std::thread thread_;
};

}  // namespace sightline
