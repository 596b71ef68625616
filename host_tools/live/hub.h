// Messages from one writer to every page that listens: server-sent events, ready to be sent. Never
// blocks the writer: who reads too slowly misses frames, but no notes.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <list>
#include <memory>
#include <mutex>
#include <string>

namespace taut::live {

class Hub {
 public:
  class Reader {
   public:
    // Blocks for a while; empty where nothing came, or all is over.
    [[nodiscard]] std::string next(std::chrono::milliseconds longest);

   private:
    friend class Hub;
    explicit Reader(Hub& hub) : hub_(hub) {}
    struct Message {
      std::shared_ptr<const std::string> text;
      bool is_frame;
    };
    Hub& hub_;
    std::deque<Message> waiting_;
  };

  // Nothing where there are as many as may be. It first gets all notes and the last state.
  [[nodiscard]] std::shared_ptr<Reader> join();
  void leave(const std::shared_ptr<Reader>& reader);

  void frame(const std::string& data);  // worth nothing when it is late
  void state(const std::string& json);  // replaces the last one
  void note(const std::string& json);   // kept, the last few of them
  void close();                         // every reader ends
  [[nodiscard]] bool is_closed() const;
  [[nodiscard]] std::size_t readers() const;

 private:
  void send(std::string text, bool is_frame);

  mutable std::mutex mutex_;
  std::condition_variable arrived_;
  std::list<std::shared_ptr<Reader>> readers_;
  std::deque<std::string> notes_;
  std::string state_;
  bool closed_ = false;
};

inline constexpr std::size_t kMostReaders = 8;

}  // namespace taut::live
