// 6S90MC-C's reduced chain as packed with the unit tests, one of which holds it to what reduce()
// makes: as a file of taut reduce, for --block. Throws a std::runtime_error.
#pragma once

#include <string>

#include "sim_core/drive/drive_spec.h"

namespace taut::system_test {

void write_packed_block(const drive::DriveSpec& drive, const std::string& path);

}  // namespace taut::system_test
