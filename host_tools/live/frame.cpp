#include "host_tools/live/frame.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "sim_core/math/constants.h"

namespace taut::live {
namespace {

class Writer {
 public:
  template <typename T>
  void add(T value) {
    const auto* bytes = reinterpret_cast<const char*>(&value);
    text_.append(bytes, sizeof value);
  }
  void add_all(const std::vector<float>& values) {
    for (const float value : values) {
      add(value);
    }
  }
  // Held at the ends of its range.
  template <typename T>
  void add_whole(double value) {
    constexpr auto kLowest = static_cast<double>(std::numeric_limits<T>::min());
    constexpr auto kHighest = static_cast<double>(std::numeric_limits<T>::max());
    add(static_cast<T>(std::isfinite(value) ? std::clamp(std::round(value), kLowest, kHighest)
                                            : 0));
  }
  [[nodiscard]] std::string& text() { return text_; }

 private:
  std::string text_;
};

void add_chain(const Frame& frame, std::size_t sprockets, double force_quantum_N, Writer& to) {
  for (std::size_t s = 0; s < sprockets; ++s) {
    to.add(static_cast<float>(frame.chain.turned_rad[s]));
  }
  for (const tool::Pixel& roller : frame.chain.roller) {
    to.add_whole<std::int16_t>(roller.x * kPartsOfPixel);
    to.add_whole<std::int16_t>(roller.y * kPartsOfPixel);
  }
  for (const float link_N : frame.link_N) {
    to.add_whole<std::int16_t>(static_cast<double>(link_N) / force_quantum_N);
  }
  for (const float tooth_N : frame.tooth_N) {
    to.add_whole<std::uint16_t>(static_cast<double>(tooth_N) / force_quantum_N);
  }
  for (const double press_rad : frame.chain.press_rad) {
    const double turns = press_rad / math::kTwoPi<double>;
    to.add_whole<std::uint8_t>(
        std::fmod(std::round((turns - std::floor(turns)) * kPartsOfTurn), kPartsOfTurn));
  }
}

}  // namespace

std::string encode(const Frame& frame, std::size_t sprockets, double force_quantum_N) {
  Writer to;
  to.add(frame.time_s);
  for (const std::uint32_t word :
       {frame.health, frame.latched, frame.sync, frame.overruns, frame.edges_lost}) {
    to.add(word);
  }
  for (const float value : {frame.last_tick_s, frame.worst_tick_s, frame.pace, frame.arm_rad,
                            frame.exaggeration, frame.crank_Hz}) {
    to.add(value);
  }
  to.add(frame.tagged_link);
  for (const SensorHealth& sensor : frame.sensors) {
    to.add(sensor.age_ticks);
    to.add(sensor.quality);
  }
  to.add(static_cast<std::uint32_t>(frame.rows.size()));
  for (const std::vector<float>& row : frame.rows) {
    to.add_all(row);
  }
  add_chain(frame, sprockets, force_quantum_N, to);
  to.add(static_cast<std::uint32_t>(frame.spectra.empty() ? 0 : frame.spectra[0].size()));
  for (const std::vector<float>& spectrum : frame.spectra) {
    to.add_all(spectrum);
  }
  return std::move(to.text());
}

std::string base64(const std::string& bytes) {
  constexpr char kLetters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      three = three << 8U | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += i + k > bytes.size() ? '=' : kLetters[three >> (18 - 6 * k) & 63U];
    }
  }
  return text;
}

}  // namespace taut::live
