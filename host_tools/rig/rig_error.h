// Ends the making or the running of a rig, in words for its user.
#pragma once

#include <stdexcept>

namespace taut::rig {

class RigError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace taut::rig
