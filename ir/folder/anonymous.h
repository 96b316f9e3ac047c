// Takes directories out of dumps, so that they can be handed on.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace sightline::ir {

// Equal directories get equal names, over all texts that one object is given. One thread.
class Anonymizer {
 public:
  // "In file /home/user/nets.py:12" is "In file /source1/nets.py:12", and so is a traceback's
  // 'File "/home/user/nets.py", line 12'. Everything else stays.
  std::string Replace(std::string_view text);

 private:
  const std::string& NameOf(std::string_view directory);

  std::map<std::string, std::string, std::less<>> names_;
};

}  // namespace sightline::ir
