#include "sim_core/drive/links.h"

namespace taut::drive {

LinkSpec link_of(const DriveSpec& spec, std::size_t link) {
  const int number = static_cast<int>(link) + 1;
  for (const LinkSpec& special : spec.special_links) {
    if (special.number == number) {
      return special;
    }
  }
  return {.number = number};
}

double link_length_m(const DriveSpec& spec, std::size_t link) {
  return spec.chain.pitch_m * (1 + (spec.chain.elongation + link_of(spec, link).elongation));
}

double link_stiffness_N_m(const DriveSpec& spec, std::size_t link) {
  return spec.chain.link_stiffness_N_m * link_of(spec, link).stiffness_factor;
}

double stiffest_link_N_m(const DriveSpec& spec) {
  double stiffest_N_m = 0;
  for (std::size_t link = 0; link < static_cast<std::size_t>(spec.chain.links); ++link) {
    const double own_N_m = link_stiffness_N_m(spec, link);
    stiffest_N_m = own_N_m > stiffest_N_m ? own_N_m : stiffest_N_m;
  }
  return stiffest_N_m;
}

double mean_elongation(const DriveSpec& spec) {
  double special = 0;
  for (const LinkSpec& link : spec.special_links) {
    special += link.elongation;
  }
  return spec.chain.elongation + special / spec.chain.links;
}

double chain_length_m(const DriveSpec& spec) {
  return spec.chain.links * spec.chain.pitch_m * (1 + mean_elongation(spec));
}

}  // namespace taut::drive
