#include "host_tools/live/server.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <httplib.h>
#include <random>
#include <semaphore>
#include <thread>
#include <utility>
#include <vector>

#include "host_tools/live/page_file.h"
#include "host_tools/live/thread_time.h"
#include "host_tools/taut/problem.h"

namespace taut::live {
namespace {

using httplib::Request;
using httplib::Response;

constexpr std::size_t kConnections = 2 * kMostReaders;  // at a time, a thread each
constexpr std::size_t kLongestBody = 4096;
constexpr int kPatience_s = 5;  // with who says nothing
constexpr std::chrono::milliseconds kHeartbeat{1000};

constexpr const char* kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

// 128 bits that nobody guesses.
std::string random_token() {
  std::random_device random;
  std::string token;
  for (int i = 0; i < 32; ++i) {
    token += "0123456789abcdef"[random() % 16];
  }
  return token;
}

// Takes as long for a wrong token as for the right one.
bool is_same(const std::string& a, const std::string& b) {
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    difference |= static_cast<unsigned>(a[i] ^ b[i]);
  }
  return difference == 0;
}

void refuse(Response& response, int status, const std::string& text) {
  response.status = status;
  response.set_content(text + "\n", "text/plain; charset=utf-8");
}

std::string in_address(const std::string& host) {
  return host.find(':') == std::string::npos ? host : "[" + host + "]";
}

// Takes so many connections and no more: who comes then waits in the system's short queue.
class Connections : public httplib::TaskQueue {
 public:
  void enqueue(std::function<void()> serve) override {
    free_.acquire();
    pool_.enqueue([this, serve = std::move(serve)] {
      serve();
      free_.release();
    });
  }
  void shutdown() override { pool_.shutdown(); }

 private:
  std::counting_semaphore<> free_{kConnections};
  httplib::ThreadPool pool_{kConnections};
};

void add_to(std::atomic<double>& sum, double value) {
  double before = sum.load();
  while (!sum.compare_exchange_weak(before, before + value)) {
  }
}

}  // namespace

struct Server::Machinery {
  httplib::Server http;
  Hub& hub;
  Served served;
  std::string host;
  int port = 0;
  std::string token = random_token();
  std::vector<std::string> names;  // under which it may be asked for
  std::atomic<double> busy_s{0};
  std::thread listener;

  Machinery(Hub& to, Served what) : hub(to), served(std::move(what)) {}

  [[nodiscard]] bool is_ours(const Request& request) const;
  void route();
  void stream(const Request& request, Response& response);
  void command(const Request& request, Response& response);
};

// A page of another origin, or a name that points here by someone's trick (DNS rebinding), shows
// in these two headers, which a page cannot set.
bool Server::Machinery::is_ours(const Request& request) const {
  const auto is_name = [&](const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (request.get_header_value_count("Host") != 1 || !is_name(request.get_header_value("Host"))) {
    return false;
  }
  const std::string scheme = "http://";
  const std::string origin = request.get_header_value("Origin");
  return !request.has_header("Origin") ||
         (origin.rfind(scheme, 0) == 0 && is_name(origin.substr(scheme.size())));
}

void Server::Machinery::stream(const Request& /*request*/, Response& response) {
  const std::shared_ptr<Hub::Reader> reader = hub.join();
  if (!reader) {
    refuse(response, 503, "as many pages as may be are open: " + std::to_string(kMostReaders));
    return;
  }
  response.set_chunked_content_provider(
      "text/event-stream",
      [this, reader](std::size_t /*offset*/, httplib::DataSink& sink) {
        const double begin_s = thread_time_s();
        std::string text = reader->next(kHeartbeat);
        if (hub.is_closed()) {
          sink.done();
          return true;
        }
        if (text.empty()) {
          text = ":\n\n";  // finds out who has gone
        }
        const bool sent = sink.write(text.data(), text.size());
        add_to(busy_s, thread_time_s() - begin_s);
        return sent;
      },
      [this, reader](bool /*success*/) { hub.leave(reader); });
}

void Server::Machinery::command(const Request& request, Response& response) {
  if (!is_same(request.get_header_value("X-Taut-Token"), token)) {
    refuse(response, 403, "commands need the token of the address that taut live printed");
    return;
  }
  const Answer answer = served.command(request.body);
  refuse(response, answer.status, answer.text);
}

void Server::Machinery::route() {
  http.set_pre_routing_handler([this](const Request& request, Response& response) {
    if (is_ours(request)) {
      return httplib::Server::HandlerResponse::Unhandled;
    }
    refuse(response, 403, "not asked for under its own name, or by a page of someone else");
    return httplib::Server::HandlerResponse::Handled;
  });
  http.set_default_headers({{"Content-Security-Policy", kPolicy},
                            {"X-Content-Type-Options", "nosniff"},
                            {"Referrer-Policy", "no-referrer"},
                            {"Cross-Origin-Resource-Policy", "same-origin"},
                            {"Cache-Control", "no-store"}});
  for (const PageFile& file : page_files()) {
    const auto serve = [&file](const Request& /*request*/, Response& response) {
      response.set_content(file.bytes.data(), file.bytes.size(), std::string(file.type).c_str());
    };
    std::string pattern(file.path);
    for (std::size_t at = 0; (at = pattern.find('.', at)) != std::string::npos; at += 2) {
      pattern.replace(at, 1, "\\.");
    }
    http.Get(pattern, serve);
    if (file.path == "/index.html") {
      http.Get("/", serve);
    }
  }
  http.Get("/drive\\.json", [this](const Request& /*request*/, Response& response) {
    response.set_content(served.describe(), "application/json");
  });
  http.Get("/drive\\.svg", [this](const Request& /*request*/, Response& response) {
    response.set_content(served.backdrop(), "image/svg+xml");
  });
  http.Get("/events",
           [this](const Request& request, Response& response) { stream(request, response); });
  http.Post("/command",
            [this](const Request& request, Response& response) { command(request, response); });
}

Server::Server(const ServerSpec& spec, Hub& hub, Served served)
    : machinery_(std::make_unique<Machinery>(hub, std::move(served))) {
  Machinery& machinery = *machinery_;
  machinery.host = spec.host;
  machinery.http.new_task_queue = [] { return new Connections; };
  machinery.http.set_payload_max_length(kLongestBody);
  machinery.http.set_read_timeout(kPatience_s);
  machinery.http.set_write_timeout(kPatience_s);
  machinery.http.set_tcp_nodelay(true);
  machinery.route();
  const bool has_port = spec.port == 0 || machinery.http.bind_to_port(spec.host, spec.port);
  machinery.port = spec.port == 0 ? machinery.http.bind_to_any_port(spec.host) : spec.port;
  if (!has_port || machinery.port <= 0) {
    throw tool::Failure(tool::ExitCode::kWrongUse,
                        spec.host + ", port " + std::to_string(spec.port) +
                            ": no one can be served there; is another one there already? "
                            "--port 0 takes any that is free");
  }
  const std::string port = ":" + std::to_string(machinery.port);
  machinery.names = {in_address(spec.host) + port, "localhost" + port, "127.0.0.1" + port,
                     "[::1]" + port};
  machinery.listener = std::thread([&machinery] { machinery.http.listen_after_bind(); });
  while (!machinery.http.is_running()) {  // else it could not be stopped
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

Server::~Server() {
  machinery_->hub.close();
  machinery_->http.stop();
  machinery_->listener.join();
}

std::string Server::address() const {
  return "http://" + in_address(machinery_->host) + ":" + std::to_string(machinery_->port) + "/#" +
         machinery_->token;
}

double Server::busy_s() const {
  return machinery_->busy_s.load();
}

}  // namespace taut::live
