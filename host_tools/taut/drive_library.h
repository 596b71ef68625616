// Where drives with a name are found: the folder in TAUT_DRIVES, else the one of the source
// tree this program was built from, else ../share/taut/drives beside the program.
#pragma once

#include <string>
#include <vector>

namespace taut::tool {

struct LibraryDrive {
  std::string name;
  std::string file;
};

[[nodiscard]] std::string library_folder();
[[nodiscard]] std::vector<LibraryDrive> library_drives();  // by name

// The file of a drive: a path as it is, a name from the library. Throws a Failure with the
// nearest names if it is neither.
[[nodiscard]] std::string find_drive(const std::string& name_or_path);

}  // namespace taut::tool
