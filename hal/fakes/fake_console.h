// A console that remembers.
#pragma once

#include <cstddef>

#include <etl/string.h>
#include <etl/string_view.h>

#include "hal/console.h"

namespace taut::hal::fakes {

// What does not fit is lost, as on any console.
template <std::size_t kCapacity = 256>
class FakeConsole {
 public:
  void write(etl::string_view text) { text_.append(text.begin(), text.end()); }
  [[nodiscard]] const char* text() const { return text_.c_str(); }

 private:
  etl::string<kCapacity> text_;
};
static_assert(Console<FakeConsole<>>);

}  // namespace taut::hal::fakes
