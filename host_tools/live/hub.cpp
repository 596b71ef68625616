#include "host_tools/live/hub.h"

#include <algorithm>

namespace taut::live {
namespace {

constexpr std::size_t kKeptNotes = 100;
constexpr std::size_t kWaitingFrames = 15;  // half a second

std::string event(const std::string& name, const std::string& data) {
  return "event: " + name + "\ndata: " + data + "\n\n";
}

}  // namespace

std::string Hub::Reader::next(std::chrono::milliseconds longest) {
  std::unique_lock lock(hub_.mutex_);
  hub_.arrived_.wait_for(lock, longest, [&] { return !waiting_.empty() || hub_.closed_; });
  std::string text;
  for (const Message& message : waiting_) {
    text += *message.text;
  }
  waiting_.clear();
  return text;
}

std::shared_ptr<Hub::Reader> Hub::join() {
  const std::lock_guard lock(mutex_);
  if (closed_ || readers_.size() >= kMostReaders) {
    return nullptr;
  }
  std::shared_ptr<Reader> reader(new Reader(*this));
  std::string begin = "retry: 500\n\n" + event("state", state_);
  for (const std::string& note : notes_) {
    begin += event("note", note);
  }
  reader->waiting_.push_back({std::make_shared<const std::string>(begin), false});
  readers_.push_back(reader);
  return reader;
}

void Hub::leave(const std::shared_ptr<Reader>& reader) {
  const std::lock_guard lock(mutex_);
  readers_.remove(reader);
}

void Hub::send(std::string text, bool is_frame) {
  const auto shared = std::make_shared<const std::string>(std::move(text));
  for (const std::shared_ptr<Reader>& reader : readers_) {
    auto& waiting = reader->waiting_;
    waiting.push_back({shared, is_frame});
    const auto frames = std::count_if(waiting.begin(), waiting.end(),
                                      [](const Reader::Message& m) { return m.is_frame; });
    if (frames > static_cast<std::ptrdiff_t>(kWaitingFrames)) {
      waiting.erase(std::find_if(waiting.begin(), waiting.end(),
                                 [](const Reader::Message& m) { return m.is_frame; }));
    }
  }
  arrived_.notify_all();
}

void Hub::frame(const std::string& data) {
  const std::lock_guard lock(mutex_);
  if (!readers_.empty()) {
    send(event("frame", data), true);
  }
}

void Hub::state(const std::string& json) {
  const std::lock_guard lock(mutex_);
  state_ = json;
  send(event("state", json), false);
}

void Hub::note(const std::string& json) {
  const std::lock_guard lock(mutex_);
  notes_.push_back(json);
  if (notes_.size() > kKeptNotes) {
    notes_.pop_front();
  }
  send(event("note", json), false);
}

void Hub::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  arrived_.notify_all();
}

bool Hub::is_closed() const {
  const std::lock_guard lock(mutex_);
  return closed_;
}

std::size_t Hub::readers() const {
  const std::lock_guard lock(mutex_);
  return readers_.size();
}

}  // namespace taut::live
