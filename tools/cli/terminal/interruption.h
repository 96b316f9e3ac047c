// Lets a verb that writes several files tidy up when the user ends the program.
//
//   const Interruption interruption;
//   while (more && !Interruption::requested()) Write();
//   ... remove what is half written ...
//   // The destructor ends the program as the signal does, if one came.
#pragma once

namespace sightline {

// As long as it lives, SIGINT, SIGTERM and SIGHUP are noted only; those that the program was
// started to ignore stay ignored. Its destructor puts their actions back and raises again the one
// that came, so it must be destroyed after what tidies up. One at a time.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  static bool requested();
};

}  // namespace sightline
