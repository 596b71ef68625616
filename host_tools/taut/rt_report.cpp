#include <nlohmann/json.hpp>

#include "host_tools/taut/rt_run.h"
#include "host_tools/taut/text.h"

namespace taut::tool {
namespace {

using Json = nlohmann::ordered_json;

std::string line_of(const char* name, const board::Histogram& times) {
  return std::string("  ") + name + " [us]: least " + fixed(times.least_us(), 1) + ", mean " +
         fixed(times.mean_us(), 1) + ", 99 % " + std::to_string(times.quantile_us(0.99)) +
         ", 99.9 % " + std::to_string(times.quantile_us(0.999)) + ", most " +
         fixed(times.most_us(), 1) + "\n";
}

// Powers of two, so that it fits a screen.
std::string bars_of(const board::Histogram& times) {
  std::string text;
  for (std::size_t from = 0, until = 1; from < board::Histogram::kBuckets; until *= 2) {
    const std::size_t end = until < board::Histogram::kBuckets ? until : board::Histogram::kBuckets;
    std::uint64_t count = 0;
    for (std::size_t i = from; i < end; ++i) {
      count += times.buckets()[i];
    }
    if (count > 0) {
      const bool is_last = end == board::Histogram::kBuckets;
      text += "    " + std::to_string(from) +
              (is_last ? " and more" : " to " + std::to_string(end)) +
              " us: " + std::to_string(count) + "\n";
    }
    from = end;
  }
  return text;
}

Json to_json(const board::Histogram& times) {
  Json json;
  json["count"] = times.count();
  json["least_us"] = times.least_us();
  json["mean_us"] = times.mean_us();
  json["most_us"] = times.most_us();
  json["counts_by_us"] = Json::object();
  for (std::size_t i = 0; i < board::Histogram::kBuckets; ++i) {
    if (times.buckets()[i] > 0) {
      json["counts_by_us"][std::to_string(i)] = times.buckets()[i];
    }
  }
  return json;
}

struct NamedCount {
  const char* name;  // in JSON
  const char* words;
  std::uint64_t count;
};

std::vector<NamedCount> xcp_counts(const RtReport& report) {
  return {{"handled", "packets handled", report.xcp.handled},
          {"most_in_a_tick", "most in a tick", report.most_packets_in_a_tick},
          {"dropped", "dropped", report.udp.dropped},
          {"strangers", "from strangers", report.udp.strangers},
          {"malformed", "malformed", report.udp.malformed},
          {"lost_in_kernel", "lost in the kernel", report.udp.lost_in_kernel},
          {"sent", "sent", report.udp.sent},
          {"not_sent", "not sent",
           report.udp.not_sent + report.xcp.responses_dropped + report.xcp.dto_dropped}};
}

}  // namespace

std::string to_text(const RtRequest& request, const RtReport& report) {
  std::string text = std::string(request.rig.drive.name.c_str()) + ": " + request.model +
                     " chain in real time, frames from " + request.source + ", " +
                     (report.has_rights ? "SCHED_FIFO, memory locked" : "without rights") +
                     (request.core >= 0 ? ", core " + std::to_string(request.core) : "") + "\n";
  for (const std::string& what : report.missing) {
    text += "  " + what + "\n";
  }
  const firmware::Counters& counters = report.counters;
  text += "  mode " + std::string(firmware::name_of(report.mode)) + "; ticks due " +
          std::to_string(counters.borders) + ", run " + std::to_string(counters.ticks) +
          ", overruns " + std::to_string(counters.overruns) + ", skipped " +
          std::to_string(counters.skipped) + ", without a frame in time " +
          std::to_string(report.starved_ticks) + "\n";
  if (report.xcp.handled + report.udp.strangers + report.udp.malformed > 0) {
    std::vector<std::string> counts;
    for (const NamedCount& count : xcp_counts(report)) {
      counts.push_back(std::string(count.words) + " " + std::to_string(count.count));
    }
    text += "  XCP: " + joined(counts) + "\n";
  }
  text += line_of("wake-up latency", report.wake_up) + bars_of(report.wake_up);
  text += line_of("time of a tick", report.tick_time) + bars_of(report.tick_time);
  if (!report.cyclictest.empty()) {
    text += "  cyclictest right after it: " + report.cyclictest + "\n";
  }
  return text;
}

Json to_json(const RtRequest& request, const RtReport& report) {
  Json json;
  json["drive"] = request.rig.drive.name.c_str();
  json["model"] = request.model;
  json["source"] = request.source;
  json["has_rights"] = report.has_rights;
  json["missing"] = report.missing;
  json["mode"] = firmware::name_of(report.mode);
  json["borders"] = report.counters.borders;
  json["ticks"] = report.counters.ticks;
  json["overruns"] = report.counters.overruns;
  json["skipped"] = report.counters.skipped;
  json["starved"] = report.starved_ticks;
  for (const NamedCount& count : xcp_counts(report)) {
    json["xcp"][count.name] = count.count;
  }
  json["wake_up"] = to_json(report.wake_up);
  json["tick_time"] = to_json(report.tick_time);
  json["cyclictest"] = report.cyclictest;
  return json;
}

}  // namespace taut::tool
