// Serves the live page: its files from within this program, what runs as server-sent events, and
// commands by POST. Who asks under another name than the server's own, or from a page of someone
// else, is refused; commands need the token that the address carries. Watching needs no token.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "host_tools/live/hub.h"

namespace taut::live {

struct ServerSpec {
  std::string host = "127.0.0.1";  // an address of this machine
  int port = 0;                    // 0: any that is free
};

// What a command did: nothing to say where it was done.
struct Answer {
  int status = 200;
  std::string text;
};

struct Served {
  std::function<std::string()> describe;                   // GET /drive.json
  std::function<std::string()> backdrop;                   // GET /drive.svg
  std::function<Answer(const std::string& json)> command;  // POST /command
};

class Server {
 public:
  // Throws a Failure (kWrongUse) where the port cannot be had. Serves from then on.
  Server(const ServerSpec& spec, Hub& hub, Served served);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();

  [[nodiscard]] std::string address() const;  // with the token
  [[nodiscard]] double busy_s() const;        // processor time of its threads so far

 private:
  struct Machinery;
  std::unique_ptr<Machinery> machinery_;
};

}  // namespace taut::live
