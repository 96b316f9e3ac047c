// sightline serve, start, stop, url: the dashboard.
#include <fmt/format.h>
#include <malloc.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sightline/base/background_thread.h"
#include "sightline/base/system/host_name.h"
#include "sightline/dashboard/dashboard.h"
#include "sightline/dashboard/store/state_folder.h"
#include "sightline/tools/cli/serve/serve_background.h"
#include "sightline/tools/cli/serve/serve_commands.h"
#include "sightline/tools/cli/serve/serve_options.h"
#include "sightline/tools/cli/terminal/exit_code.h"
#include "sightline/tools/cli/terminal/memory_limit.h"
#include "sightline/tools/cli/terminal/text.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX has none.

namespace sightline {
namespace {

using dashboard::Dashboard;
using dashboard::RunningServer;
using dashboard::StateFolder;

constexpr char kServeHelp[] =
    R"(Shows the runs in and below directories in a browser, until it is interrupted.

Prints the address to open. Nobody gets in without the token in it. The token is kept in
~/.local/state/sightline (or $XDG_STATE_HOME/sightline), which only you can read, so that the
address stays the same. Changes nothing, unless you give --allow-write. If the port is in use, it
takes the next free one.
)";
constexpr char kServeExamples[] = R"(Examples:
  sightline serve ./output
  sightline serve ./output --port 9000 --open

Exit codes: 0 interrupted or stopped, 2 it could not start.)";

constexpr char kStartHelp[] = R"(Starts the dashboard in the background, and prints its address.

It runs until `sightline stop --port P`. Its log is servers/PORT.log in ~/.local/state/sightline (or
$XDG_STATE_HOME/sightline).
)";
constexpr char kStartExamples[] = R"(Examples:
  sightline start --summary-base-dir ./output
  sightline start --port 9000 --summary-base-dir ./output

Exit codes: 0 started, 2 it could not start.)";
constexpr char kStopHelp[] =
    R"(Ends the dashboard that `start` or `serve` runs on a port, and no other program.
)";
constexpr char kStopExamples[] = R"(Examples:
  sightline stop
  sightline stop --port 9000

Exit codes: 0 stopped, 2 no dashboard of yours runs there.)";
constexpr char kUrlHelp[] = R"(Prints the addresses of your running dashboards, with their tokens.
)";
constexpr char kUrlExamples[] = R"(Examples:
  sightline url

Exit codes: 0 printed, 2 no dashboard of yours runs.)";

int Fail(const Status& status) {
  std::fprintf(stderr, "sightline: %s\n", Printable(status.message()).c_str());
  return kExitError;
}

// What to type elsewhere when this is an ssh session.
void PrintTunnel(std::uint16_t port) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): read while nothing writes it.
  if (std::getenv("SSH_CONNECTION") == nullptr) return;
  const std::string host = HostName();
  // NOLINTNEXTLINE(concurrency-mt-unsafe)
  const char* user = std::getenv("USER");
  fmt::print(
      "From your machine:\n  ssh -N -L {0}:127.0.0.1:{0} {1}@{2}\nthen open the address there.\n",
      port, user == nullptr ? "USER" : user, host.empty() ? "HOST" : host);
}

// By way of a private file that leads there: command lines can be read by everybody.
void OpenInBrowser(const StateFolder& state, const std::string& url, std::uint16_t port) {
  const auto path = state.FileFor(fmt::format("{}.html", port));
  if (!path) return;
  unlink(path->c_str());
  const mode_t before = umask(S_IRWXG | S_IRWXO);
  std::FILE* file = std::fopen(path->c_str(), "wx");
  umask(before);
  if (file == nullptr) return;
  fmt::print(file, "<!doctype html><meta http-equiv=\"refresh\" content=\"0;url={0}\">\n", url);
  std::fclose(file);
  std::string program = "xdg-open";
  std::string argument = *path;
  char* arguments[] = {program.data(), argument.data(), nullptr};
  pid_t process = 0;
  if (posix_spawnp(&process, "xdg-open", nullptr, nullptr, arguments, environ) != 0)
    std::fputs("sightline: no xdg-open; open the address yourself\n", stderr);
}

// How long responses that are being made may take to end.
constexpr std::chrono::milliseconds kStopTime{300};

// Stops the server. A file system may hold a thread back for any time, so the process ends without
// it then: whatever it writes is whole if it is killed.
void StopOrExit(Dashboard& server, std::unique_ptr<dashboard::ServerNote> note) {
  std::promise<void> stopped;
  auto stopping = StartBackgroundThread("sl-stop", [&] {
    server.Stop();
    stopped.set_value();
  });
  if (stopping && stopped.get_future().wait_for(kStopTime) == std::future_status::ready)
    return stopping->join();
  note.reset();
  std::_Exit(kExitOk);
}

// Runs the dashboard until SIGINT or SIGTERM. `background`: whom to tell that it runs; null in
// front.
int RunServer(const ServeOptions& options, const BackgroundStart* background) {
  // Large blocks return to the system when they are freed. Left to itself the
  // C library raises this bound to the largest piece that it has seen.
  mallopt(M_MMAP_THRESHOLD, 128 * 1024);
  const auto fail = [&](const Status& status) {
    if (background != nullptr) background->Failed(std::string(status.message()));
    return Fail(status);
  };
  const auto limit = LimitMemory(options.memory_limit);
  if (!limit) return fail(limit.error());
  auto state = StateFolder::OfUser();
  auto wanted = DashboardOptionsOf(options, state);
  if (!wanted) return fail(wanted.error());
  auto server = Dashboard::Start(*std::move(wanted));
  if (!server) return fail(server.error());
  std::unique_ptr<dashboard::ServerNote> note;
  if (state) {
    auto noted = state->Note(
        {(*server)->port(), (*server)->UrlWithoutToken(), !options.no_auth, options.roots.front()});
    if (noted) {
      note = *std::move(noted);
    } else {
      std::fprintf(stderr, "sightline: %s; `stop` and `url` will not know this server\n",
                   std::string(noted.error().message()).c_str());
    }
  }
  // Until here they end the process. The threads that it has by now leave them to this one.
  sigset_t ending;
  sigemptyset(&ending);
  sigaddset(&ending, SIGINT);
  sigaddset(&ending, SIGTERM);
  if (background == nullptr) sigaddset(&ending, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &ending, nullptr);
  if (background != nullptr) {
    background->Running((*server)->Url());
  } else {
    if (options.port != 0 && (*server)->port() != options.port)
      fmt::print("Port {} is in use; this is on {}.\n", options.port, (*server)->port());
    fmt::print("{}\n", (*server)->Url());
    for (const std::string& line : LinksThatLeadOut(options))
      fmt::print(stderr, "sightline: {}\n", Printable(line));
    PrintTunnel((*server)->port());
    std::fflush(stdout);
    if (options.open && state) OpenInBrowser(*state, (*server)->Url(), (*server)->port());
  }
  int signal = 0;
  while (sigwait(&ending, &signal) != 0) {
  }
  pthread_sigmask(SIG_UNBLOCK, &ending, nullptr);  // A second one ends the process at once.
  StopOrExit(**server, std::move(note));
  return kExitOk;
}

int StopOnPort(std::uint16_t port) {
  const auto state = StateFolder::OfUser();
  if (!state) return Fail(state.error());
  if (const Status stopped = state->StopServer(port); !stopped.ok()) return Fail(stopped);
  return kExitOk;
}

int PrintUrls(std::uint16_t port) {
  const auto state = StateFolder::OfUser();
  if (!state) return Fail(state.error());
  const auto servers = state->Servers();
  if (!servers) return Fail(servers.error());
  const auto token = state->Token();
  if (!token) return Fail(token.error());
  bool found = false;
  for (const RunningServer& server : *servers) {
    if (port != 0 && server.port != port) continue;
    found = true;
    fmt::print("{}{}  {}\n", server.url, server.needs_token ? "#token=" + *token : "",
               server.directory);
  }
  if (found) return kExitOk;
  std::fputs("sightline: no dashboard of yours runs there; `sightline serve DIR` starts one\n",
             stderr);
  return kExitError;
}

void AddCommonOptions(CLI::App& command, ServeOptions& options) {
  command.add_option("--host", options.host, "The address to listen on")->capture_default_str();
  command.add_option("--tls-cert", options.tls_certificate,
                     "A certificate with its chain, in PEM form: serve over https");
  command.add_option("--tls-key", options.tls_key, "The certificate's key, in PEM form");
  command.add_flag("--plain-http", options.plain_http,
                   "Serve to other machines although it is not encrypted");
  command.add_option("--allow-host", options.hosts, "A further name of this machine");
  command.add_option("--allow-frame", options.allow_frame, "An origin whose pages may frame it");
  command.add_flag("--no-auth", options.no_auth,
                   "Ask nobody for the token: every user of this machine may look");
  command.add_option("--base-path", options.base_path, "Serve beneath /PATH, behind a proxy");
  command.add_option("--follow", options.follow,
                     "A directory that links in the roots may lead into");
  AddMemoryLimitOption(command, options.memory_limit, "128MB");
  command.add_option("--source-root", options.source_roots,
                     "A directory whose source files may be shown as text");
  command.add_flag(
      "!--no-join", options.join,
      "Each directory is a run, also the ranks of a training and the curves of add_scalars");
  command.add_flag("--allow-write", options.allow_write,
                   "Keep notes, names, tags and layouts in a file beside the runs");
}

}  // namespace

void AddServeCommand(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ServeOptions>();
  CLI::App& command = *app.add_subcommand("serve", "show runs in a browser");
  command.description(kServeHelp);
  command.footer(kServeExamples);
  command.add_option("ROOT", options->roots, "Directories that hold runs")->required();
  command.add_option("--port", options->port, "The port; 0: any free one")->capture_default_str();
  command.add_flag("--open", options->open, "Open it in a browser");
  AddCommonOptions(command, *options);
  command.callback([options, &exit_code] { exit_code = RunServer(*options, nullptr); });
}

void AddStartCommand(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ServeOptions>();
  options->exact_port = true;
  CLI::App& command = *app.add_subcommand("start", "run the dashboard in the background");
  command.description(kStartHelp);
  command.footer(kStartExamples);
  command.add_option("--port", options->port, "The port")->capture_default_str();
  command.add_option("--summary-base-dir", options->roots, "The directory that holds runs")
      ->required();
  AddCommonOptions(command, *options);
  command.callback([options, &exit_code] {
    exit_code = StartInBackground(options->port, [options](const BackgroundStart& background) {
      return RunServer(*options, &background);
    });
  });
}

void AddStopCommand(CLI::App& app, int& exit_code) {
  auto port = std::make_shared<std::uint16_t>(kDashboardPort);
  CLI::App& command = *app.add_subcommand("stop", "end a dashboard of yours");
  command.description(kStopHelp);
  command.footer(kStopExamples);
  command.add_option("--port", *port, "Its port")->capture_default_str();
  command.callback([port, &exit_code] { exit_code = StopOnPort(*port); });
}

void AddUrlCommand(CLI::App& app, int& exit_code) {
  auto port = std::make_shared<std::uint16_t>(0);
  CLI::App& command = *app.add_subcommand("url", "print the address of your dashboards");
  command.description(kUrlHelp);
  command.footer(kUrlExamples);
  command.add_option("--port", *port, "Only of the one on this port");
  command.callback([port, &exit_code] { exit_code = PrintUrls(*port); });
}

}  // namespace sightline
