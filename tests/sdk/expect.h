// What a program without a test library expects: EXPECT(condition) counts and prints what does not
// hold.
#pragma once

#include <cstdio>

inline int failures = 0;

inline void Expect(bool holds, const char* what, int line) {
  if (holds) return;
  std::fprintf(stderr, "line %d: %s does not hold\n", line, what);
  ++failures;
}
#define EXPECT(condition) Expect(condition, #condition, __LINE__)
