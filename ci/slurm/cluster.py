"""Submits an array of tasks to Slurm, and asks where its tasks are. Uses Slurm's commands only, so that any cluster will do."""
import re
import subprocess
import time

TRIES, PAUSE = 5, 2.0  # seconds between tries: Slurm's controller may be busy or restart


def ask(*command):
    """Runs a command of Slurm, several times if it fails. Returns its standard output, or "" for a job that Slurm has forgotten."""
    for attempt in range(TRIES):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode == 0:
            return done.stdout
        if "Invalid job id" in done.stderr:  # it ended, and Slurm has forgotten it
            return ""
        time.sleep(PAUSE * (attempt + 1))
    raise SystemExit(f"{' '.join(command)}: {done.stderr.strip()}")


def ranges(tasks):
    """Numbers of tasks as Slurm takes them: "1-3,7" for 1, 2, 3 and 7."""
    parts = []
    for task in sorted(tasks):
        if parts and parts[-1][1] == task - 1:
            parts[-1][1] = task
        else:
            parts.append([task, task])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in parts)


def submit(script, arguments, tasks, environment, options):
    """Submits an array of these tasks, and returns its job id. All attempts of a task append to one log file."""
    command = ["sbatch", "--parsable", f"--array={ranges(tasks)}", f"--cpus-per-task={options['cpus']}",
               f"--output={options['out']}/logs/task-%a.log", "--export=ALL," + ",".join(f"{key}={value}" for key, value in environment.items())]
    if options["minutes"]:
        command.append(f"--time={options['minutes']}")
    if options["exclude"]:
        command.append("--exclude=" + ",".join(sorted(options["exclude"])))
    done = ask(*command, *options["sbatch"], script, *arguments)
    return done.strip().split(";")[0]


def queued(job):
    """{task: (state, node, reason)} of the job's tasks that have not ended."""
    found = {}
    for line in ask("squeue", "-h", "-r", "-j", job, "-o", "%K|%T|%N|%r").splitlines():
        task, state, node, reason = line.split("|", 3)
        found[int(task)] = (state, node, reason)
    return found


def held(tasks):
    """The tasks that Slurm could not launch, and will not try again by itself. `tasks` is what queued() returned."""
    return {task for task, (state, _, reason) in tasks.items() if state == "PENDING" and re.search(r"launch.failed", reason, re.I)}


def cancel(job, tasks):
    ask("scancel", *(f"{job}_{task}" for task in sorted(tasks)))


def bad_nodes():
    """{node: state and reason} of the nodes that take no work, because they are down, drained or failing."""
    found = {}
    for line in ask("sinfo", "-h", "-N", "-o", "%N|%T|%E").splitlines():
        node, state, reason = line.split("|", 2)
        if re.match(r"(down|drain|fail|unknown)", state):
            found[node] = state.rstrip("*") + ("" if reason in ("none", "") else f" ({reason})")
    return found
