#include "host_tools/taut/problem.h"

#include <algorithm>
#include <tuple>

namespace taut::tool {
namespace {

std::string where(const Origin& origin) {
  if (!origin.option.empty()) {
    return origin.option;
  }
  std::string text = origin.file;
  if (origin.line > 0) {
    text += ":" + std::to_string(origin.line);
    if (origin.column > 0) {
      text += ":" + std::to_string(origin.column);
    }
  }
  return text;
}

std::string all_of(Problems problems) {
  const auto place = [](const Problem& problem) {
    return std::make_tuple(!problem.origin.option.empty(), problem.origin.line);
  };
  std::stable_sort(problems.begin(), problems.end(),
                   [&](const Problem& a, const Problem& b) { return place(a) < place(b); });
  std::string text;
  for (const Problem& problem : problems) {
    text += (text.empty() ? "" : "\n") + to_text(problem);
  }
  return text;
}

}  // namespace

std::string to_text(const Problem& problem) {
  std::string text = where(problem.origin);
  if (!problem.subject.empty()) {
    text += ": " + problem.subject;
  }
  return text + ": " + problem.text;
}

Failure::Failure(Problems problems) : Failure(ExitCode::kWrongDrive, all_of(std::move(problems))) {}

}  // namespace taut::tool
