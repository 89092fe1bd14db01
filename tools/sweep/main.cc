// upcast-sweep: measures how far sides are from the truth, or from each other, over every input of
// an op. `upcast sweep` starts it.
#include "oracle/host/line_server.h"
#include "oracle/modules/modules.h"
#include "oracle/plugin/remote_plugin.h"
#include "oracle/protocol/python_subject.h"
#include "oracle/subject.h"
#include "oracle/truth/truth_subject.h"
#include "tools/sweep/glibc_subject.h"
#include "tools/sweep/sweep_command.h"
#ifdef UPCAST_HAVE_LIBTORCH
#include "oracle/libtorch/register.h"
#endif

int main(int argc, char** argv) {
  upcast::register_subject("truth", &upcast::make_truth_subject);
  upcast::register_subject("glibc", &upcast::tools::make_glibc_subject);
  upcast::register_subject("libtorch@", &upcast::make_subject_of_version);
  upcast::register_remote_plugin();
  upcast::register_module_subjects();
  upcast::protocol::register_process_subjects();
#ifdef UPCAST_HAVE_LIBTORCH
  upcast::register_libtorch_subjects();
  return upcast::tools::sweep_main(argc, argv,
                                   {.truth = {"impl:cpu", "libtorch:cpu"},
                                    .paths = {"libtorch:cpu?capability=native", "libtorch:cpu"}});
#else
  return upcast::tools::sweep_main(
      argc, argv, {.truth = {"impl:cpu"}, .paths = {"impl:cpu", "impl:cpu?capability=baseline"}});
#endif
}
