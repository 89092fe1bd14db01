#include "oracle/host/worker.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "impl/core/error.h"
#include "oracle/host/line_server.h"
#include "oracle/host/plan_digest.h"
#include "oracle/host/remote_subject.h"
#include "oracle/host/run_block.h"
#include "oracle/host/versions.h"
#include "oracle/host/wire.h"
#include "oracle/plugin/manifest.h"
#include "oracle/witnesses.h"

namespace upcast {
namespace {

int number_after(int argc, char** argv, const char* option) {
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::strcmp(argv[i], option) == 0) return std::atoi(argv[i + 1]);
  }
  throw UsageError("upcast-worker is started by upcast run, not by hand");
}

std::string read_whole(int fd) {
  struct stat status {};
  if (fstat(fd, &status) != 0) throw UsageError("upcast-worker cannot read its setup");
  std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
  for (std::size_t done = 0; done < bytes.size();) {
    // pread instead of read: all workers share one open file, and with it one position.
    const ssize_t n = pread(fd, bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
    if (n <= 0) throw UsageError("upcast-worker cannot read its setup");
    done += static_cast<std::size_t>(n);
  }
  return bytes;
}

/// Takes the socket away from standard input and output, so that no library can write into it.
int claim_socket() {
  const int socket = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (socket < 0 || null < 0) throw UsageError("upcast-worker cannot open its socket");
  dup2(null, STDIN_FILENO);
  close(null);
  return socket;
}

/// Narrows a grid to the subject's claim, so that no side is asked about the rest. A list of cases
/// is answered whole, each with its verdict.
WorkerSetup narrowed(WorkerSetup setup, const Subject& subject) {
  if (!setup.grid.empty() && subject.manifest() != nullptr)
    setup.selection = (Selection::parse(setup.selection) & subject.manifest()->claim()).text();
  return setup;
}

/// What a worker keeps from its setup for all blocks of a run.
struct Session {
  Session(const WorkerSetup& asked, Journal& journal, Gaps gaps)
      : subject(make_side(parse_side(asked.subject), parse_side(asked.oracle), asked)),
        setup(narrowed(asked, *subject)),
        plan(make_plan(setup)),
        oracle(make_side(parse_side(setup.oracle), {}, setup)),
        witnesses(make_witnesses(setup, journal), gaps),
        doubts(setup.doubt),
        versions(environment()),
        known(load_known()),
        sides(sides_of(setup.subject, setup.oracle)),
        rules(parse_side(setup.subject), parse_side(setup.oracle)) {
    for (Subject* side : {subject.get(), oracle.get()})
      side->watched_by({setup.time_limit, [&journal] { journal.beat(); }});
  }

  /// The versions of all software in a run. If both sides report a version under one key, the
  /// oracle's is taken. A subject that is another LibTorch, or has other vector paths, gets a
  /// second key for its own version.
  std::map<std::string, std::string> environment() const {
    std::map<std::string, std::string> all = oracle->versions();
    std::map<std::string, std::string> of_subject = subject->versions();
    for (const char* key : {"libtorch", "libtorch.capability"})
      if (const auto own = of_subject.find(key);
          own != of_subject.end() && all.contains(key) && all[key] != own->second)
        all[std::string(key) + ".subject"] = own->second;
    all.merge(of_subject);
    all.merge(machine_versions());
    for (const auto& [key, side] :
         {std::pair{"subject.name", subject.get()}, std::pair{"oracle.name", oracle.get()}})
      if (const Manifest* manifest = side->manifest())
        all[key] = manifest->name() + " " + manifest->version();
    for (const Witnesses::Named& witness : witnesses.sides())
      all["witness " + witness.name] = versions_text(witness.subject->versions());
    if (setup.doubt) all["doubt"] = "on";
    return all;
  }

  /// The files that the run's answers come from.
  std::vector<std::string> programs() const {
    std::vector<std::string> all = subject->programs();
    const auto add = [&all](const Subject& side) {
      for (std::string& file : side.programs()) all.push_back(std::move(file));
    };
    add(*oracle);
    for (const Witnesses::Named& witness : witnesses.sides()) add(*witness.subject);
    return all;
  }

  static std::string versions_text(const std::map<std::string, std::string>& versions) {
    std::string text;
    for (const auto& [key, value] : versions) text += (text.empty() ? "" : " ") + key + " " + value;
    return text;
  }

  static std::vector<Witnesses::Named> make_witnesses(const WorkerSetup& setup, Journal& journal) {
    std::vector<Witnesses::Named> made;
    for (const std::string& name : setup.witnesses)
      made.push_back(
          {name, make_apart(parse_side(name), {setup.time_limit, [&journal] { journal.beat(); }})});
    return made;
  }

  KnownMatcher load_known() const {
    return KnownMatcher(parse_known_differences(setup.known_text, setup.known_name),
                        known_scope(parse_side(setup.subject), parse_side(setup.oracle), versions,
                                    proves_stale(plan)));
  }

  std::unique_ptr<Subject> subject;
  WorkerSetup setup;
  Plan plan;
  std::unique_ptr<Subject> oracle;
  Witnesses witnesses;
  bool doubts;
  std::map<std::string, std::string> versions;
  KnownMatcher known;
  Sides sides;
  RuleArbiter rules;
};

/// Serves blocks until the supervisor closes the socket or ends.
void serve(int socket, Session& session, Journal& journal, const Arbiter& arbiter) {
  BlockRunner runner(session.plan, *session.subject, *session.oracle, session.known, journal,
                     session.sides, arbiter, &session.witnesses, session.doubts, &session.rules);
  wire::FrameReader requests(socket);
  while (const auto request = requests.read()) {
    const BlockResult result = runner.run(wire::decode_request(*request));
    if (!wire::write_frame(socket, wire::encode(result))) return;
  }
}

}  // namespace

int worker_main(int argc, char** argv, const Arbiter& arbiter, Gaps gaps) try {
  if (argc == 3 && std::strcmp(argv[1], "--answers") == 0) {
    const int socket = claim_socket();
    serve_answers(socket, wire::decode_setup(read_whole(std::atoi(argv[2]))));
    std::_Exit(0);
  }
  if (argc == 3 && std::strcmp(argv[1], "--lines") == 0) {
    // The worker sets no time limit: the asking process watches the time.
    serve_lines(claim_socket(), argv[2], kNoLimit);
    std::_Exit(0);
  }
  const int setup_fd = number_after(argc, argv, "--setup");
  Journal journal(number_after(argc, argv, "--journal"));
  const int socket = claim_socket();
  WorkerHello hello;
  std::unique_ptr<Session> session;
  try {
    session = std::make_unique<Session>(wire::decode_setup(read_whole(setup_fd)), journal, gaps);
    hello.plan_digest = plan_digest(session->plan);
    hello.versions = session->versions;
    hello.programs = session->programs();
    if (const Manifest* manifest = session->subject->manifest())
      hello.claim = manifest->claim().text();
  } catch (const UsageError& error) {
    hello.error = error.what();
  }
  if (wire::write_frame(socket, wire::encode(hello)) && session)
    serve(socket, *session, journal, arbiter);
  // Ends without running destructors: LibTorch's take long, and nothing is left to be written.
  std::_Exit(0);
} catch (const UsageError& error) {
  std::fprintf(stderr, "upcast-worker: %s\n", error.what());
  return 2;
}

}  // namespace upcast
