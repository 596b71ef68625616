// The rig as the page commands it: what acts on it now, and words for it.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "host_tools/rig/rig.h"

namespace taut::live {

using Json = nlohmann::ordered_json;

class Bench {
 public:
  explicit Bench(const rig::RigSpec& spec);

  // One tick. Where the bench cannot go on (the chain flew apart), it starts again as described,
  // at the speed that was set last, and says why.
  const rig::Rig::Tick& advance();
  [[nodiscard]] std::string take_trouble();  // empty where there was none since the last time

  // Each does what the page asked for and says it in words. Throws a RigError where it may not.
  std::string set_speed(double rpm);
  std::string set_excitation(double factor);
  std::string tag(std::size_t link_number);  // from 1
  std::string inject_fault(const Json& wanted);
  std::string inject_damage(const Json& wanted);
  std::string clear(std::size_t number);
  std::string clear_all();

  [[nodiscard]] std::size_t tagged_link() const { return spec_.tags.link; }  // index
  [[nodiscard]] Json state() const;
  // Of the drive's bench: what may be set, every fault with the sizes it may have.
  [[nodiscard]] Json describe() const;

 private:
  struct Acting {
    std::size_t number;
    std::string text;
  };

  rig::RigSpec spec_;
  std::unique_ptr<rig::Rig> rig_;
  std::vector<Acting> faults_;
  std::vector<std::string> damages_;
  std::string trouble_;
};

}  // namespace taut::live
