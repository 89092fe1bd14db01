"""The kinds of work that many machines share: a campaign, a sweep, a grid. Each knows its array script, how its rate is
measured on a small shard, how its tasks' results are merged, and what the whole came to."""
import dataclasses
import json
import math
import pathlib
import subprocess
import tempfile
import time

PROBE_CASES = 20000
PROBE_SHARDS = 4096  # a sweep or a grid is measured on the first of this many shards
LEAST_PROBE = 4.0  # seconds; a shorter probe would measure mostly the start of processes and the first call of each op


@dataclasses.dataclass
class Rate:
    """The speed that a small shard showed: `units` done in `seconds` of one core. `total`: the units of the whole work."""
    units: float
    seconds: float
    total: float

    def core_hours(self, units):
        return units / self.units * self.seconds / 3600


def ask(prefix, upcast, *arguments):
    """Runs upcast by the command `prefix` (srun, or nothing). Returns its exit code. Exit codes 0, 1 and 3 are no failure."""
    done = subprocess.run([*prefix, upcast, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode not in (0, 1, 3):
        raise SystemExit(f"upcast {' '.join(map(str, arguments))} ended with {done.returncode}: {done.stderr.strip()[-300:]}")
    return done.returncode


class Work:
    """One kind of work. `arguments`: those of upcast's command, without what a task adds. `cases`: of the whole campaign.
    `follow_up`: seconds in which the merged campaign's findings are minimised."""
    unit, script, result = "case", "", ""  # result: path of a task's result in the folder of the work; {} is the task
    own = ("--jobs", "--out", "--shard", "--json")  # options that the script gives each task, so that nobody else may

    def __init__(self, arguments, cases=0, follow_up=0):
        self.arguments, self.cases, self.follow_up = list(arguments), cases, follow_up

    def measure(self, upcast, prefix=()):
        """Measures the Rate on a shard that is large enough: the start of its processes must not take most of the time."""
        shards = PROBE_SHARDS
        while True:
            with tempfile.TemporaryDirectory(prefix="upcast-probe-") as folder:
                began = time.monotonic()
                rate = self.probe(upcast, prefix, pathlib.Path(folder), shards)
                rate.seconds = rate.seconds or time.monotonic() - began
            if rate.seconds >= LEAST_PROBE or shards == 1:
                return rate
            shards = max(1, shards // 8)

    def has_result(self, folder, task):
        return (folder / self.result.format(task)).exists()

    def environment(self, plan):
        """The environment variables that each task gets in addition to its arguments."""
        return {"UPCAST_SHARDS": str(plan["tasks"])}


class Campaign(Work):
    script, result = "fuzz.sbatch", "tasks/{}.1"
    own = ("--jobs", "--runs", "--time", "--seed", "--corpus", "--follow-up", "--json", "--exchange", "--prune-every")

    def probe(self, upcast, prefix, folder, shards):
        runs = PROBE_CASES * PROBE_SHARDS // shards
        ask(prefix, upcast, "fuzz", *self.arguments, "--runs", runs, "--jobs", 1, "--follow-up", 0,
            "--corpus", folder / "corpus", "--json", folder / "probe.json")
        told = json.loads((folder / "probe.json").read_text())
        return Rate(told["cases"], told["seconds"], self.cases)

    def environment(self, plan):
        return super().environment(plan) | {"UPCAST_CASES": str(math.ceil(self.cases / plan["tasks"]))}

    def merge(self, upcast, out):
        """Merges the results of all tasks. Returns (exit code, a line that sums them up, counts)."""
        # an attempt that was killed before its campaign began has no campaign.json
        corpora = [log.with_suffix("") for log in sorted(out.glob("work/tasks/*/corpus.log")) if (log / "campaign.json").exists()]
        return run_merge([upcast, "fuzz", "--merge"], corpora, ["--exchange", out / "work/shared", "--corpus", out / "campaign",
                         "--follow-up", self.follow_up, "--json", out / "campaign.json"], out / "campaign.json", (
                             "cases", "findings", "features", "corpus", "campaigns", "cut_off"))

    def merged(self, out):
        return [out / "campaign", out / "campaign.log", out / "campaign.json"]


class Sweep(Work):
    unit, script, result = "input", "sweep.sbatch", "shard{}.ndjson"

    def probe(self, upcast, prefix, folder, shards):
        ask(prefix, upcast, "sweep", *self.arguments, "--jobs", 1, "--shard", f"1/{shards}", "--json", folder / "probe.json")
        told = json.loads((folder / "probe.json").read_text())
        done = [side.get("inputs", 0) for side in told["sides"].values()]
        return Rate(max(done), 0, told["inputs"])

    def merge(self, upcast, out):
        return run_merge([upcast, "sweep", "--merge"], sorted(out.glob("work/shard*.ndjson")), ["--json", out / "sweep.json"],
                         out / "sweep.json", ("complete", "inputs", "done"))

    def merged(self, out):
        return [out / "sweep.json"]


class Grid(Work):
    script, result = "run_grid.sbatch", "shard{}.db"
    own = (*Work.own, "--min-judged")

    def probe(self, upcast, prefix, folder, shards):
        ask(prefix, upcast, "run", *self.arguments, "--jobs", 1, "--shard", f"1/{shards}", "--min-judged", 0,
            "--out", folder / "probe.db", "--json", folder / "probe.json")
        told = json.loads((folder / "probe.json").read_text())
        return Rate(max(1, told["ran"]), 0, told["coverage"]["cases"])

    def merge(self, upcast, out):
        return run_merge([upcast, "merge"], sorted(out.glob("work/shard*.db")), ["-o", out / "run.db"])

    def merged(self, out):
        return [out / "run.db"]


KINDS = {"campaign": Campaign, "sweep": Sweep, "grid": Grid}


def run_merge(command, results, options, written=None, keys=()):
    """Merges the results of tasks. Returns (exit code, what the command said, the `keys` of the JSON that it wrote to `written`)."""
    if not results:
        return 2, "no task has a result", {}
    done = subprocess.run([str(word) for word in (*command, *results, *options)], capture_output=True, text=True)
    counts = {}
    if written is not None and written.exists():
        told = json.loads(written.read_text())
        if "sides" in told:
            told["done"] = min(side.get("inputs", 0) for side in told["sides"].values())
        counts = {key: told[key] for key in keys if key in told}
    return done.returncode, (done.stdout + done.stderr).strip(), counts


def make_plan(kind, arguments, rate, options):
    """Plans how many tasks there are, and what they cost. Each is to take about options.hours on its cores."""
    core_hours = rate.core_hours(rate.total)
    tasks = options.tasks or min(options.most_tasks, max(1, math.ceil(core_hours / (options.cpus * options.hours))))
    return {"kind": kind, "arguments": list(arguments), "cases": options.cases, "follow_up": options.follow_up,
            "total": int(rate.total), "tasks": tasks, "cpus": options.cpus, "core_hours": round(core_hours, 4),
            "task_hours": round(core_hours / tasks / options.cpus, 4),
            "rate": {"units": int(rate.units), "seconds": round(rate.seconds, 3)}}
