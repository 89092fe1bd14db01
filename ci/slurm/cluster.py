"""What is asked of Slurm: to run an array, and where it is. By its own commands, so that any cluster does."""
import re
import subprocess
import time

TRIES, PAUSE = 5, 2.0  # a controller that is busy, or starts again


def ask(*command):
    """What a command of Slurm prints."""
    for attempt in range(TRIES):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode == 0:
            return done.stdout
        if "Invalid job id" in done.stderr:  # it ended, and Slurm has forgotten it
            return ""
        time.sleep(PAUSE * (attempt + 1))
    raise SystemExit(f"{' '.join(command)}: {done.stderr.strip()}")


def ranges(tasks):
    """"1-3,7" of 1, 2, 3, 7."""
    parts = []
    for task in sorted(tasks):
        if parts and parts[-1][1] == task - 1:
            parts[-1][1] = task
        else:
            parts.append([task, task])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in parts)


def submit(script, arguments, tasks, environment, options):
    """An array of those tasks; its job id. The logs of a task are one file, whichever array it is in."""
    command = ["sbatch", "--parsable", f"--array={ranges(tasks)}", f"--cpus-per-task={options['cpus']}",
               f"--output={options['out']}/logs/task-%a.log", "--export=ALL," + ",".join(f"{key}={value}" for key, value in environment.items())]
    if options["minutes"]:
        command.append(f"--time={options['minutes']}")
    if options["exclude"]:
        command.append("--exclude=" + ",".join(sorted(options["exclude"])))
    done = ask(*command, *options["sbatch"], script, *arguments)
    return done.strip().split(";")[0]


def queued(job):
    """{task: (state, node, reason)} of those that have not ended."""
    found = {}
    for line in ask("squeue", "-h", "-r", "-j", job, "-o", "%K|%T|%N|%r").splitlines():
        task, state, node, reason = line.split("|", 3)
        found[int(task)] = (state, node, reason)
    return found


def held(tasks):
    """Those that Slurm could not launch and will not try again by itself."""
    return {task for task, (state, _, reason) in tasks.items() if state == "PENDING" and re.search(r"launch.failed", reason, re.I)}


def cancel(job, tasks):
    ask("scancel", *(f"{job}_{task}" for task in sorted(tasks)))


def bad_nodes():
    """{node: state and reason} of those that take no work."""
    found = {}
    for line in ask("sinfo", "-h", "-N", "-o", "%N|%T|%E").splitlines():
        node, state, reason = line.split("|", 2)
        if re.match(r"(down|drain|fail|unknown)", state):
            found[node] = state.rstrip("*") + ("" if reason in ("none", "") else f" ({reason})")
    return found
