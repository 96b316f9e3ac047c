// Structs of sightline.h, which begin with their size, so that a program that was compiled with an
// older or a newer header works. Any thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>

#include "sightline/base/status.h"

namespace sightline::sdk {

// More than any struct has: a size above it is an uninitialised one.
inline constexpr std::size_t kMostStructBytes = 4096;

// Copies the struct that a program passed; what it does not have is zero. `name`: the struct's, for
// messages. `first_size`: its size in the first release that had it. kInvalidArgument for a size
// that no release had; kUnimplemented if the program sets what this library does not know.
template <typename T>
Status TakeStruct(const T* given, const char* name, T& taken, std::size_t first_size = sizeof(T)) {
  static_assert(offsetof(T, struct_size) == 0);
  const std::size_t size = given->struct_size;
  if (size < first_size || size > kMostStructBytes) {
    return sightline::Error(StatusCode::kInvalidArgument,
                            std::string(name) + ": struct_size is " + std::to_string(size) +
                                "; set it to sizeof(" + name + "), which is " +
                                std::to_string(sizeof(T)));
  }
  const auto* const bytes = reinterpret_cast<const char*>(given);
  const auto is_set = [](char byte) { return byte != 0; };
  if (size > sizeof(T) && std::any_of(bytes + sizeof(T), bytes + size, is_set)) {
    return sightline::Error(StatusCode::kUnimplemented,
                            std::string(name) +
                                ": a field is set that this version of the library does not "
                                "know; install the one whose header the program uses");
  }
  taken = {};
  std::memcpy(&taken, given, std::min(size, sizeof(T)));
  return {};
}

// Calls take(const T&) for each element of an array whose structs all have the size of the first,
// as the program's header has it. `given` may be null if `count` is 0. Errors: as TakeStruct, those
// of `take`, and kInvalidArgument for a null pointer or an element of another size.
template <typename T, typename Take>
Status TakeStructs(const T* given, std::size_t count, const char* name, const Take& take) {
  if (count != 0 && given == nullptr) {
    return sightline::Error(
        StatusCode::kInvalidArgument,
        std::string("an array of ") + std::to_string(count) + " " + name + " is a null pointer");
  }
  const std::size_t stride = count == 0 ? 0 : given->struct_size;
  for (std::size_t i = 0; i < count; ++i) {
    const auto* const element =
        reinterpret_cast<const T*>(reinterpret_cast<const char*>(given) + i * stride);
    if (element->struct_size != stride) {
      return sightline::Error(StatusCode::kInvalidArgument,
                              std::string(name) + ": struct_size is " +
                                  std::to_string(element->struct_size) + " in element " +
                                  std::to_string(i) + ", and " + std::to_string(stride) +
                                  " in the first");
    }
    T taken{};
    SIGHTLINE_RETURN_IF_ERROR(TakeStruct(element, name, taken));
    SIGHTLINE_RETURN_IF_ERROR(take(taken));
  }
  return {};
}

// Fills the struct of a caller as far as it goes. Errors: as TakeStruct for a wrong size.
template <typename T>
Status GiveStruct(T filled, const char* name, T* wanted, std::size_t first_size = sizeof(T)) {
  T known{};
  SIGHTLINE_RETURN_IF_ERROR(TakeStruct(wanted, name, known, first_size));
  filled.struct_size = known.struct_size;
  std::memcpy(wanted, &filled, std::min(known.struct_size, sizeof(T)));
  return {};
}

}  // namespace sightline::sdk
