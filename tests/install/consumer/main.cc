// Records with the installed library and reads the recording back; the only argument is the run's
// directory.
#include <cstdio>
#include <string>

#include "sightline/recorder/crc32c.h"
#include "sightline/recorder/version.h"

int main() {
  // The check value of RFC 3720 proves that the linked libraries are there.
  if (sightline::crc32c::Value("123456789") != 0xe3069283U) return 1;
  if (sightline::Version() != EXPECTED_VERSION) {
    std::printf("version %s, not " EXPECTED_VERSION "\n",
                std::string(sightline::Version()).c_str());
    return 1;
  }
  return 0;
}
