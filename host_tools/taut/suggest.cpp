#include "host_tools/taut/suggest.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace taut::tool {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

// A unit's parts are short: mm, kN, rad, inch. Longer words are another quantity.
bool looks_like_unit(std::string_view text) {
  constexpr std::size_t kLongestPart = 4;
  std::size_t part = 0;
  for (const char c : text) {
    part = c == '_' ? 0 : part + 1;
    if (part > kLongestPart) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::size_t edit_distance(std::string_view written, std::string_view known) {
  const std::string a = lower(written);
  const std::string b = lower(known);
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    d[i][0] = i;
  }
  for (std::size_t j = 0; j <= b.size(); ++j) {
    d[0][j] = j;
  }
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

std::vector<std::string> nearest(std::string_view written, const std::vector<std::string>& known,
                                 std::size_t most) {
  constexpr std::size_t kLongestName = 80;  // of what is worth comparing
  if (written.empty() || written.size() > kLongestName) {
    return {};
  }
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const std::string& name : known) {
    const std::size_t distance = edit_distance(written, name);
    const std::size_t limit = std::max<std::size_t>(1, std::min(written.size(), name.size()) / 3);
    if (written.size() >= 2 && lower(name).starts_with(lower(written))) {
      found.emplace_back(0, name);  // a shortened name is nearer than a changed one
    } else if (distance <= limit) {
      found.emplace_back(distance, name);
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(most, found.size()); ++i) {
    names.push_back(found[i].second);
  }
  return names;
}

std::string unit_suffix(std::string_view unit) {
  std::string suffix;
  for (const char c : unit) {
    if (c == ' ' || c == '/') {
      suffix += '_';
    } else if (c != '^') {
      suffix += c;
    }
  }
  return suffix;
}

bool differs_in_unit(std::string_view written, std::string_view key, std::string_view unit) {
  const std::string suffix = "_" + unit_suffix(unit);
  if (unit.empty() || !key.ends_with(suffix) || written == key) {
    return false;
  }
  const std::string_view stem = key.substr(0, key.size() - suffix.size());
  if (!written.starts_with(stem)) {
    return false;
  }
  const std::string_view rest = written.substr(stem.size());
  return rest.empty() || (rest.front() == '_' && looks_like_unit(rest));
}

}  // namespace taut::tool
