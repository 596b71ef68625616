#include "host_tools/live/session.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "host_tools/live/thread_time.h"
#include "host_tools/rig/rig_error.h"
#include "host_tools/taut/problem.h"
#include "host_tools/taut/text.h"
#include "host_tools/taut/twin_run.h"
#include "sim_core/math/constants.h"

namespace taut::live {
namespace {

constexpr double kTick_s = signal::kTick_s;
constexpr double kFramesASecond = 30;
constexpr double kMostLag_s = 0.25;  // what is more is given up: a picture that is late is no use
constexpr std::uint64_t kFramesASpectrum = 15;
constexpr double kSpectrumOrders = 30;
constexpr std::uint64_t kTicksBetweenNotes = 1000;
constexpr std::chrono::seconds kPatience{5};
constexpr std::size_t kMostWaiting = 64;

// Slow engines are drawn with fewer rows, which are longer in memory and in the spectrum.
std::size_t ticks_a_row(const drive::DriveSpec& drive) {
  constexpr double kSlow_rpm = 300;
  return drive.crank.speed_rpm < kSlow_rpm ? 4 : 1;
}

// So that 16 bits hold what a chain bears, and a thousandth of its tension is still told.
double force_quantum_N(const drive::DriveSpec& drive) {
  constexpr double kPretensions = 30;
  return kPretensions * drive.chain.pretension_N / 32767;
}

std::string session_name() {
  std::random_device random;
  return std::to_string(random());
}

}  // namespace

Session::Session(const SessionSpec& spec, Hub& hub)
    : spec_(spec),
      hub_(hub),
      bench_(spec.target.rig),
      picture_(spec.target.rig.drive),
      rows_(plotted_signals(spec.target.rig.drive.sprockets.size()),
            ticks_a_row(spec.target.rig.drive)),
      force_quantum_N_(live::force_quantum_N(spec.target.rig.drive)) {
  describe_drive();
  prepare(spec.target.model);
}

tool::TwinReport Session::finish() {
  tool::TwinReport report = target_->finish();
  report.wall_s = target_wall_s_;
  return report;
}

double Session::time_s() const {
  return static_cast<double>(ticks_) * kTick_s;
}

void Session::describe_drive() {
  const drive::DriveSpec& drive = spec_.target.rig.drive;
  const tool::View& view = picture_.view();
  const auto pixel = [&](double x_m, double y_m) {
    const tool::Pixel at = view({x_m, y_m});
    return Json::array({at.x, at.y});
  };
  Json json;
  json["session"] = session_name();
  json["drive"] = drive.name.c_str();
  json["links"] = drive.chain.links;
  json["pretension_N"] = drive.chain.pretension_N;
  json["roller_px"] = drive.chain.roller_radius_m * view.scale;
  json["px_m"] = view.scale;
  json["arm_exaggeration"] = kArmExaggeration;
  json["force_quantum_N"] = force_quantum_N_;
  json["parts_of_pixel"] = kPartsOfPixel;
  json["parts_of_turn"] = kPartsOfTurn;
  json["tick_s"] = kTick_s;
  json["row_s"] = kTick_s * static_cast<double>(ticks_a_row(drive));
  json["spectrum_rows"] = RunningSpectrum::kRows;
  json["sprockets"] = Json::array();
  for (const drive::SprocketSpec& sprocket : drive.sprockets) {
    json["sprockets"].push_back({{"at", pixel(sprocket.centre_x_m, sprocket.centre_y_m)}});
  }
  json["strands"] = Json::array();
  for (std::size_t s = 0; s < drive.sprockets.size(); ++s) {
    const drive::Strand& strand = picture_.geometry().strand[s];
    const drive::Point middle = 0.5 * (strand.begin_m + strand.end_m);
    const drive::Point out = tool::outwards(drive, strand);
    json["strands"].push_back(
        {{"at", pixel(middle.x(), middle.y())}, {"out", {out.x(), -out.y()}}});
  }
  if (const drive::TightenerSpec& arm = drive.tightener; drive::has_arm(arm.kind)) {
    json["arm"] = {{"sprocket", arm.sprocket},
                   {"pivot", pixel(arm.pivot_x_m, arm.pivot_y_m)},
                   {"spring", pixel(arm.spring_on_arm_x_m, arm.spring_on_arm_y_m)},
                   {"ground", pixel(arm.spring_on_ground_x_m, arm.spring_on_ground_y_m)}};
  }
  json["signals"] = Json::array();
  for (const Signal& signal : rows_.signals()) {
    json["signals"].push_back({{"key", signal.key},
                               {"unit", signal.entry->unit},
                               {"help", signal.entry->help},
                               {"lowest", signal.entry->lowest},
                               {"highest", signal.entry->highest}});
  }
  json["sensors"] = Json::array();
  for (const SensorRow& sensor : sensor_rows()) {
    json["sensors"].push_back({{"name", sensor.name}, {"help", sensor.value->help}});
  }
  json["health"] = Json::array();
  for (const tool::HealthReason& reason : tool::health_reasons()) {
    json["health"].push_back({{"bit", reason.bit}, {"text", reason.text}});
  }
  json["models"] = tool::chain_names();
  json["bench"] = bench_.describe();
  description_ = json.dump();
  backdrop_ = picture_.backdrop();
}

void Session::note(const std::string& kind, const std::string& text) {
  hub_.note(Json{{"time_s", time_s()}, {"kind", kind}, {"text", text}}.dump());
}

void Session::tell_state() {
  Json state = bench_.state();
  state["model"] = target_ ? target_->model() : "";
  state["machine"] = target_ ? target_->machine() : "";
  state["timing"] = target_ ? target_->timing() : "";
  state["preparing"] = preparing_;
  hub_.state(state.dump());
}

// Elsewhere, so that the bench goes on meanwhile.
void Session::prepare(const std::string& model) {
  TargetSpec wanted = spec_.target;
  wanted.model = model;
  wanted.block = model == spec_.target.model ? spec_.target.block : "";
  if (!wanted.files.log.empty() && targets_ > 0) {  // every twin has a log of its own
    wanted.files.log += "." + std::to_string(targets_ + 1);
  }
  ++targets_;
  preparing_ = model;
  prepared_ = std::async(std::launch::async, [wanted] { return make_target(wanted); });
  tell_state();
}

void Session::take_prepared() {
  if (!prepared_.valid() ||
      prepared_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
    return;
  }
  preparing_.clear();
  try {
    std::unique_ptr<Target> made = prepared_.get();
    if (target_) {
      static_cast<void>(target_->finish());
    }
    target_ = std::move(made);
    target_begin_ = Clock::now();
    has_noted_gauge_ = false;
    note("command", target_->model() + " twin starts on " + target_->machine());
  } catch (const tool::Failure& failure) {
    if (!target_) {
      throw;
    }
    note("bench", failure.what());
  }
  tell_state();
}

std::string Session::obey(const Json& wanted) {
  const std::string what = wanted.at("do");
  if (what == "speed") {
    return bench_.set_speed(wanted.at("rpm"));
  }
  if (what == "excitation") {
    return bench_.set_excitation(wanted.at("factor"));
  }
  if (what == "tag") {
    const std::size_t before = bench_.tagged_link();
    const auto links = static_cast<std::size_t>(spec_.target.rig.drive.chain.links);
    std::string text = bench_.tag(wanted.at("link"));
    target_->tag_on((bench_.tagged_link() + links - before) % links);
    return text;
  }
  if (what == "fault") {
    return bench_.inject_fault(wanted);
  }
  if (what == "damage") {
    return bench_.inject_damage(wanted);
  }
  if (what == "clear") {
    return bench_.clear(wanted.at("fault"));
  }
  if (what == "clear_all") {
    return bench_.clear_all();
  }
  if (what == "model") {
    const std::string model = wanted.at("model");
    const std::vector<std::string>& models = tool::chain_names();
    if (!preparing_.empty()) {
      throw rig::RigError("the " + preparing_ + " twin is being made");
    }
    if (std::find(models.begin(), models.end(), model) == models.end()) {
      throw rig::RigError(model + ": allowed " + tool::joined(models));
    }
    prepare(model);
    return model + " twin is being made";
  }
  throw rig::RigError(what + ": no such command");
}

void Session::obey() {
  std::deque<Waiting> now;
  {
    const std::lock_guard lock(mutex_);
    now.swap(waiting_);
  }
  for (Waiting& waiting : now) {
    Answer answer{200, "done"};
    try {
      answer.text = obey(Json::parse(waiting.json));
      note("command", answer.text);
      tell_state();
    } catch (const rig::RigError& error) {
      answer = {400, error.what()};
    } catch (const Json::exception& error) {
      answer = {400, std::string("not a command: ") + error.what()};
    }
    waiting.answer.set_value(answer);
  }
}

Answer Session::command(const std::string& json) {
  std::future<Answer> answer;
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.size() >= kMostWaiting) {
      return {503, "too many commands at a time"};
    }
    waiting_.push_back({json, {}});
    answer = waiting_.back().answer.get_future();
    arrived_.notify_all();
  }
  if (answer.wait_for(kPatience) != std::future_status::ready) {
    return {503, "the bench does not run now; the command comes when it does"};
  }
  return answer.get();
}

void Session::tick() {
  const rig::Rig::Tick& measured = bench_.advance();
  ++ticks_;
  const auto before = static_cast<double>(target_->prediction().chain_pitches);
  target_->tick(measured, time_s());
  const double links = spec_.target.rig.drive.chain.links;
  const double moved = static_cast<double>(target_->prediction().chain_pitches) - before;
  travel_pitches_ += moved - links * std::round(moved / links);
  if (rows_.add(target_->frame(), target_->prediction())) {
    new_rows_.push_back(rows_.row());
    measured_.add(rows_.row()[rows_.index_of("measured.link_force_N")]);
    predicted_.add(rows_.row()[rows_.index_of("predicted.tagged_link_N")]);
    const float speed_rad_s = rows_.row()[rows_.index_of("predicted.crank_speed_rad_s")];
    crank_rad_s_.push_back(speed_rad_s);
    if (crank_rad_s_.size() > RunningSpectrum::kRows) {
      crank_rad_s_.pop_front();
    }
  }
}

// A word that flickers is told now and then; what changes trust is told at once.
void Session::note_health() {
  const std::uint32_t health = target_->prediction().health;
  const bool changes_trust = signal::trust_of(health) != signal::trust_of(noted_health_);
  if (noted_tick_ == 0 ||
      (health != noted_health_ && (changes_trust || ticks_ > noted_tick_ + kTicksBetweenNotes))) {
    note("health", tool::health_text(health));
    noted_health_ = health;
    noted_tick_ = ticks_;
  }
  const std::optional<std::size_t> link = target_->tagged_link();
  if (link && !has_noted_gauge_) {
    note("health", "the gauge is found, on link " + std::to_string(*link + 1) + " of the twin");
  }
  has_noted_gauge_ = link.has_value();
  if (const std::string trouble = bench_.take_trouble(); !trouble.empty()) {
    note("bench", trouble + "; the bench starts again");
    tell_state();
  }
}

void Session::add_spectra(Frame& frame) {
  if (!predicted_.is_full() || frames_ % kFramesASpectrum != 0) {
    return;
  }
  double sum_rad_s = 0;
  for (const float speed_rad_s : crank_rad_s_) {
    sum_rad_s += static_cast<double>(speed_rad_s);
  }
  const double crank_Hz =
      sum_rad_s / static_cast<double>(crank_rad_s_.size()) / math::kTwoPi<double>;
  const double row_s = kTick_s * static_cast<double>(ticks_a_row(spec_.target.rig.drive));
  const double bin_Hz = 1 / (row_s * RunningSpectrum::kRows);
  const double bins = std::clamp(kSpectrumOrders * crank_Hz / bin_Hz, 8.0,
                                 static_cast<double>(RunningSpectrum::kBins));
  frame.crank_Hz = static_cast<float>(crank_Hz);
  frame.spectra = {measured_.amplitudes(static_cast<std::size_t>(bins)),
                   predicted_.amplitudes(static_cast<std::size_t>(bins))};
}

Frame Session::make_frame() {
  const signal::Prediction& prediction = target_->prediction();
  const tool::TwinReport& report = target_->so_far();
  Frame frame;
  frame.time_s = time_s();
  frame.health = prediction.health;
  frame.latched = prediction.latched;
  frame.sync = static_cast<std::uint32_t>(target_->sync());
  frame.overruns = static_cast<std::uint32_t>(report.overruns);
  frame.edges_lost = target_->frame().edges_lost;
  frame.last_tick_s = static_cast<float>(target_->last_tick_s());
  frame.worst_tick_s = static_cast<float>(report.worst_tick_s);
  frame.pace = static_cast<float>(pace_);
  for (const SensorRow& row : sensor_rows()) {
    const signal::Sample& sample = sample_of(row, target_->frame());
    frame.sensors.push_back({sample.age_ticks, static_cast<std::uint32_t>(sample.quality)});
  }
  frame.rows = std::move(new_rows_);
  new_rows_.clear();
  picture_.move(travel_pitches_, static_cast<double>(prediction.arm_angle_rad));
  target_->look(picture_.straight(), look_);
  frame.chain = picture_.draw(look_);
  frame.arm_rad = static_cast<float>(frame.chain.arm_rad);
  frame.exaggeration = static_cast<float>(frame.chain.exaggeration);
  frame.link_N = look_.link_N;
  frame.tooth_N = look_.tooth_N;
  frame.tagged_link =
      static_cast<std::uint32_t>(target_->tagged_link().value_or(look_.link_N.size()));
  add_spectra(frame);
  ++frames_;
  return frame;
}

void Session::publish() {
  const double begin_s = thread_time_s();
  note_health();
  const Frame frame = make_frame();
  if (hub_.readers() > 0) {
    hub_.frame(base64(encode(frame, spec_.target.rig.drive.sprockets.size(), force_quantum_N_)));
  }
  encoding_s_ += thread_time_s() - begin_s;
}

void Session::wait_for(Clock::time_point until) {
  std::unique_lock lock(mutex_);
  arrived_.wait_until(lock, until, [&] { return !waiting_.empty(); });
}

void Session::run(const std::atomic<bool>& stop) {
  const auto frame_length = std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(1 / kFramesASecond));
  while (!stop && prepared_.wait_for(frame_length) != std::future_status::ready) {
  }
  if (stop) {
    return;
  }
  take_prepared();
  const Clock::time_point begin = Clock::now();
  const auto since = [](Clock::time_point from) {
    return std::chrono::duration<double>(Clock::now() - from).count();
  };
  Clock::time_point next_frame = begin;
  Clock::time_point pace_begin = begin;
  double pace_begin_s = 0;
  const auto is_over = [&] {
    return stop || (spec_.duration_s > 0 && time_s() >= spec_.duration_s - kTick_s / 2);
  };
  while (!is_over()) {
    take_prepared();
    obey();
    const double due_s = since(begin) - lag_s_;
    lag_s_ += std::max(0.0, due_s - time_s() - kMostLag_s);
    const Clock::time_point frame_end = Clock::now() + frame_length;
    while (!is_over() && time_s() < since(begin) - lag_s_ && Clock::now() < frame_end) {
      tick();
    }
    if (Clock::now() >= next_frame) {
      publish();
      next_frame = std::max(next_frame + frame_length, Clock::now());
    }
    if (since(pace_begin) >= 1) {
      pace_ = (time_s() - pace_begin_s) / since(pace_begin);
      pace_begin = Clock::now();
      pace_begin_s = time_s();
    }
    wait_for(next_frame);
  }
  wall_s_ = since(begin);
  target_wall_s_ = since(target_begin_);
  obey();
}

}  // namespace taut::live
