#include "host_tools/taut/drive_library.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "host_tools/taut/problem.h"
#include "host_tools/taut/raw_drive.h"

namespace taut::tool {
namespace fs = std::filesystem;
namespace {

const char* const kEnding = ".toml";

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

}  // namespace

std::string library_folder() {
  const char* const chosen = std::getenv("TAUT_DRIVES");  // NOLINT(concurrency-mt-unsafe)
  if (chosen != nullptr && *chosen != '\0') {
    if (!is_folder(chosen)) {
      throw Failure(ExitCode::kWrongUse, std::string("TAUT_DRIVES = ") + chosen +
                                             ": is not a folder; name the folder with the "
                                             "drives, or unset it");
    }
    return chosen;
  }
  if (is_folder(TAUT_DRIVES_FOLDER)) {
    return TAUT_DRIVES_FOLDER;
  }
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path shared = program.parent_path().parent_path() / "share" / "taut" / "drives";
  if (error || !is_folder(shared)) {
    throw Failure(ExitCode::kWrongUse,
                  "the library of drives was not found; name its folder in TAUT_DRIVES, or give "
                  "the path of a drive file");
  }
  return shared.string();
}

std::vector<LibraryDrive> library_drives() {
  std::vector<LibraryDrive> drives;
  for (const fs::directory_entry& entry : fs::directory_iterator(library_folder())) {
    if (entry.path().extension() == kEnding) {
      drives.push_back({entry.path().stem().string(), entry.path().string()});
    }
  }
  std::sort(drives.begin(), drives.end(),
            [](const LibraryDrive& a, const LibraryDrive& b) { return a.name < b.name; });
  return drives;
}

std::string find_drive(const std::string& name_or_path) {
  std::error_code error;
  const bool path = name_or_path.find('/') != std::string::npos ||
                    name_or_path.ends_with(kEnding) || fs::exists(name_or_path, error);
  if (path) {
    return name_or_path;
  }
  std::vector<std::string> names;
  for (const LibraryDrive& drive : library_drives()) {
    if (drive.name == name_or_path) {
      return drive.file;
    }
    names.push_back(drive.name);
  }
  throw Failure(ExitCode::kWrongDrive,
                name_or_path + ": no drive of this name; " + suggestion(name_or_path, names) +
                    " (a file needs its path: ./" + name_or_path + kEnding + ")");
}

}  // namespace taut::tool
