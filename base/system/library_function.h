// Functions of libraries that are loaded at run time. Any thread.
#pragma once

#include <dlfcn.h>

namespace sightline {

// Sets `function`, a pointer, to the one of that name. False, and null, if the library lacks it.
template <typename Function>
bool FindFunction(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

}  // namespace sightline
