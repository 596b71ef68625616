// The page as it was when this program was built.
#pragma once

#include <string_view>

#include <etl/span.h>

namespace taut::live {

struct PageFile {
  std::string_view path;  // "/index.html"
  std::string_view type;
  std::string_view bytes;
};
[[nodiscard]] etl::span<const PageFile> page_files();

}  // namespace taut::live
