// Removes directories from dumps, so that you can give the dumps to others.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace sightline::ir {

// Equal directories get equal names in all texts of one object. One thread.
class Anonymizer {
 public:
  // "In file /home/user/nets.py:12" becomes "In file /source1/nets.py:12". The same is done for the
  // 'File "/home/user/nets.py", line 12' of a traceback. Everything else stays.
  std::string Replace(std::string_view text);

 private:
  const std::string& PublicName(std::string_view directory);

  std::map<std::string, std::string, std::less<>> names_;
};

}  // namespace sightline::ir
