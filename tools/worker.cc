// upcast-worker: the process that holds subject, oracle and judge. upcast starts it, not a user.
#include "oracle/host/worker.h"

#include "cases/standard_streams.h"
#include "oracle/modules/modules.h"
#include "oracle/planted/planted_bugs.h"
#include "oracle/plugin/remote_plugin.h"
#include "oracle/protocol/python_subject.h"
#include "oracle/truth/arbitrate.h"
#include "oracle/truth/truth_subject.h"
#ifdef UPCAST_HAVE_LIBTORCH
#include "oracle/libtorch/register.h"
#endif

int main(int argc, char** argv) {
  upcast::settle_standard_streams();
  upcast::register_subject("truth", &upcast::make_truth_subject);
  upcast::register_remote_plugin();
  upcast::protocol::register_process_subjects();
  upcast::register_planted_subjects();  // findings of campaigns may name planted bugs
  upcast::register_module_subjects();
#ifdef UPCAST_HAVE_LIBTORCH
  upcast::register_libtorch_subjects();
#endif
  return upcast::worker_main(argc, argv, upcast::truth::make_arbiter(),
                             &upcast::truth::undecided_elements);
}
