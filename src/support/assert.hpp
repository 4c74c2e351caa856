#pragma once

// SNUG_ASSERT states what only a bug can break. It is on in dev, sanitizer and CI builds and costs nothing elsewhere.
namespace snug::support {
void assertion_failed(const char* expression, const char* file, int line) noexcept;
}

#if SNUG_ASSERTS
#define SNUG_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ::snug::support::assertion_failed(#condition, __FILE__, __LINE__))
#else
#define SNUG_ASSERT(condition) static_cast<void>(0)
#endif
