"""Tests submit.py on a Slurm cluster of one host and two nodes: with a campaign, a sweep and a grid, while a node loses power, a disk is
full, a clock is an hour off and jobs are killed. Nothing is lost, nothing is counted twice, and the summary names what happened.

    submit_test.py UPCAST [--long] [unittest argument]...

--long: larger work, and ten random SIGKILLs of each kind (for the night). Exit 77: see mini_cluster.why_not()."""
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import fuzz_task
import work
from mini_cluster import FAKETIME, SKIPPED, Cluster, processes, send, why_not
from store_progress import is_in_the_middle, stored

UPCAST = pathlib.Path(sys.argv[1]).resolve()
LONG = "--long" in sys.argv
HERE = pathlib.Path(__file__).resolve().parent
SIDES = ["--subject", "impl:cpu", "--oracle", "impl:emulated"]
GRID = ["--grid", "layouts", *SIDES] + ([] if LONG else ["--ops", "add,mul,a*,b*,c*"])
# A compiler's grid as CI has it: torch.compile traces and lowers each graph. Inductor's C++ would take the most time. Short
# blocks, so that a task of 100 cases has a middle. A graph has time enough on a busy machine: none is cut off.
COMPILER = ["--grid", "compile_slice", "--subject", "python:torch?via=compile&backend=aot_eager&graph=8&seconds=600",
            "--oracle", "libtorch:cpu", "--block", "8", "--time-limit", "900"]
# The result of each task is longer than SMALL_DISK, which is the least that Linux gives, a page: the first task there fills it.
SMALL_DISK = "4k"
SWEEP = ["atan2", "--dtype", "float16", "--side", "impl:cpu", "--samples", str((256 if LONG else 8) << 20)]
# Both sides are our implementation, so that no bug of LibTorch is found by chance. One side has a planted bug, for the campaign to find.
CAMPAIGN = ["--target", "kernel", "--subject", "planted?bug=comparison-keeps-its-dtype"]
CASES = 400000 if LONG else 60000
TASKS = 6 if LONG else 4


def run(*command, **how):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, **how)


def without_time(sweep):
    """A sweep's JSON without its seconds, and with rounded means: the last bits of a mean depend on the order of the chunks."""
    kept = {key: value for key, value in sweep.items() if key != "seconds"}
    for side in kept["sides"].values():
        side["mean_ulp"] = round(side["mean_ulp"], 12)
    return kept


class Submitted:
    """A run of submit.py in a process of its own, and what the tests ask about it."""

    def __init__(self, cluster, out, kind, target, arguments):
        self.out, self.cluster = out, cluster
        self.log = out.with_suffix(".submit")
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, HERE / "submit.py", kind, target, "--out", out, "--tasks", str(TASKS), "--upcast", UPCAST, "--poll", "1",
                 "--follow-up", "0", "--tries", "15", "--", *arguments], env=cluster.environment, stdout=log, stderr=subprocess.STDOUT)

    def job(self):
        try:
            return json.loads((self.out / "state.json").read_text())["jobs"][-1]["job"]
        except (OSError, ValueError, IndexError):
            return None

    def tasks_of(self, node):
        """The tasks of the job that run on the node."""
        return self.cluster.ask("squeue", "-h", "-r", "-w", node, "-t", "running", "-o", "%K").split() if self.job() else []

    def hurry(self):
        """Starts requeued tasks at once: Slurm would let them wait two minutes."""
        for line in self.cluster.ask("squeue", "-h", "-r", "-t", "pending", "-o", "%F_%K|%r").splitlines():
            job, reason = line.split("|")
            if reason == "BeginTime":
                subprocess.run(["scontrol", "update", f"jobid={job}", "starttime=now"], env=self.cluster.environment, capture_output=True)

    def end(self, seconds):
        """Waits until submit.py ends; fails after `seconds`. Returns (exit code, summary, output)."""
        stop = time.monotonic() + seconds
        while self.process.poll() is None:
            self.hurry()
            if time.monotonic() > stop:
                self.process.kill()
                raise AssertionError(f"not within {seconds} s:\n{self.log.read_text()}")
            time.sleep(0.5)
        said = self.log.read_text()
        summary = self.out / "summary.json"
        return self.process.returncode, json.loads(summary.read_text()) if summary.exists() else {}, said


def kill_at_random(submitted, times, chance):
    """Kills random processes of tasks by SIGKILL, at random moments, until `times` of them died. Returns what died."""
    killed = []
    while submitted.process.poll() is None and len(killed) < times:
        time.sleep(chance.uniform(0.2, 1.5))
        # a victim is the command itself, one of its workers, or the task's script
        victims = [pid for pid, environment in processes() if f"UPCAST_OUT={submitted.out}/work\0" in environment and "SLURM_ARRAY_TASK_ID=" in environment]
        if not victims:
            continue
        pid = chance.choice(victims)
        try:
            name = pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
            os.kill(pid, signal.SIGKILL)
            killed.append(name)
        except (OSError, ProcessLookupError):
            continue
    return killed


class ClusterTest(unittest.TestCase):
    """A cluster for the tests, and comparisons of its work with an undivided run."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="upcast-submit-"))
        self.out = self.folder / "out"
        (self.out / "work").mkdir(parents=True)

    def start(self, kind, target, arguments, **faults):
        self.cluster = Cluster(self.folder, **faults)
        self.addCleanup(self.clean)
        self.cluster.wait_until_idle()
        return Submitted(self.cluster, self.out, kind, target, arguments)

    def clean(self):
        self.cluster.end()
        result = self._outcome.result
        if not any(test is self for test, _ in [*result.failures, *result.errors]):
            shutil.rmtree(self.folder)
        else:
            print(f"logs are in {self.folder}", file=sys.stderr)

    # Checks that compare the merged result with that of a run on one machine.

    def expect_the_whole_grid(self, grid=GRID, least=10000):
        whole = self.folder / "whole.db"
        counts = json.loads(run(UPCAST, "run", *grid, "--out", whole, "--json", "-").stdout)
        found = json.loads(run(UPCAST, "diff", whole, self.out / "run.db", "--json", "-").stdout)
        self.assertEqual(found["same"] + found["still_failing"], counts["ran"], found)
        self.assertEqual(counts["ran"], counts["planned"])
        self.assertGreater(counts["ran"], least)
        return counts["ran"]

    def expect_the_whole_sweep(self):
        run(UPCAST, "sweep", *SWEEP, "--json", self.folder / "whole.json", check=True)
        whole, merged = (json.loads(path.read_text()) for path in (self.folder / "whole.json", self.out / "sweep.json"))
        self.assertEqual(without_time(merged), without_time(whole))
        return whole["inputs"]

    def expect_a_lost_chunk_to_be_noticed(self):
        """The control."""
        shard = self.out / "work/shard1.ndjson"
        shard.write_text("".join(shard.read_text().splitlines(keepends=True)[:-1]))
        done = run(UPCAST, "sweep", "--merge", *(self.out / "work").glob("shard*.ndjson"), "--json", self.out / "sweep.json")
        self.assertEqual(done.returncode, 3)
        with self.assertRaises(AssertionError):
            self.expect_the_whole_sweep()

    def expect_all_findings(self, summary):
        """Checks that the merged log has each signature that an attempt found, once, and that its counts are the sums over the attempts."""
        rows = [json.loads(line) for line in (self.out / "campaign.log/findings.ndjson").read_text().splitlines()]
        signatures = [row["signature"] for row in rows]
        self.assertEqual(len(signatures), len(set(signatures)))
        attempts = list((self.out / "work/tasks").iterdir())
        found = {json.loads(line)["signature"] for attempt in attempts if (attempt / "corpus.log/findings.ndjson").exists()
                 for line in (attempt / "corpus.log/findings.ndjson").read_text().splitlines() if line.endswith("}")}
        self.assertEqual(set(signatures), found)
        self.assertGreater(len(found), 0)
        self.assertEqual(summary["counts"]["cases"], sum(map(fuzz_task.cases_of, attempts)))
        self.assertGreaterEqual(summary["counts"]["cases"], CASES)
        return rows


class OnACluster(ClusterTest):
    def stopped_in_the_middle(self, submitted, is_in_the_middle):
        """Stops node2 if it runs a task for which `is_in_the_middle(task)` is true, so that the task's work no longer changes.
        Returns the task. Returns None if there is no such task; the node then goes on."""
        task = next(filter(is_in_the_middle, submitted.tasks_of("node2")), None)
        if task is None:
            return None
        stopped = self.cluster.stop_node("node2")
        if is_in_the_middle(task) and "upcast-task: ends" not in (self.out / f"logs/task-{task}.log").read_text():
            return task
        send(signal.SIGCONT, stopped)
        return None

    def lose_power(self, submitted, is_in_the_middle):
        """Kills node2 while it runs a task for which `is_in_the_middle(task)` is true, then revives the node. Returns the task.
        The wait has no limit of seconds, because a busy machine takes longer. It ends when the submitted work ends."""
        while (task := self.stopped_in_the_middle(submitted, is_in_the_middle)) is None:
            self.assertIsNone(submitted.process.poll(), f"no task of node2 was met in the middle:\n{submitted.log.read_text()}")
            time.sleep(0.1)
        self.assertGreaterEqual(self.cluster.kill_node("node2"), 3)
        time.sleep(3)
        self.cluster.revive_node("node2")
        return task

    def shard(self, task):
        return self.out / f"work/shard{task}.db"

    def check_a_grid_of_which_a_node_loses_power(self, grid, codes, least):
        submitted = self.start("grid", grid[1], grid[2:])
        task = self.lose_power(submitted, lambda task: is_in_the_middle(self.shard(task)))
        cases, complete = stored(self.shard(task))
        self.assertFalse(complete)
        code, _, said = submitted.end(3000)
        self.assertIn(code, codes, said)
        self.assertRegex(said, rf"task {task}: on node2 (it was killed|its node was lost)")
        self.assertIn("node2 was down (lost power)", said)
        self.assertGreater(stored(self.shard(task))[0], cases, "the task went on where it was left")
        print(f"node2 died with {cases:,} cases of task {task} stored; {self.expect_the_whole_grid(grid, least):,} cases, each once")

    def test_a_grid_of_which_a_node_loses_power(self):
        self.check_a_grid_of_which_a_node_loses_power(GRID, [0], 10000)

    @unittest.skipUnless(LONG, "for the night: --long")
    def test_a_compilers_grid_of_which_a_node_loses_power(self):
        asked = run(UPCAST, "run", "neg(float32[2])", *COMPILER[2:6])
        if asked.returncode == 2:
            self.skipTest(f"no compiler: ci/frameworks.sh torch ({asked.stderr.strip()[-200:]})")
        self.check_a_grid_of_which_a_node_loses_power(COMPILER, [0, 1], 500)

    def test_a_sweep_with_a_full_disk_and_a_wrong_clock(self):
        if not pathlib.Path(FAKETIME).exists():
            self.skipTest(f"no {FAKETIME}: ci/setup.sh scale")
        submitted = self.start("sweep", SWEEP[0], SWEEP[1:], small_disk=(self.out / "work", SMALL_DISK), hours=1)
        code, summary, said = submitted.end(1500)
        self.assertEqual(code, 0, said)
        self.assertRegex(said, r"task \d+: on node2 the disk was full; it was finished on node1")
        self.assertEqual(summary["jobs"][-1]["without"], ["node2"])
        print(f"{self.expect_the_whole_sweep():,} inputs, each once")
        self.expect_a_lost_chunk_to_be_noticed()
        begun = {}
        for log in (self.out / "logs").iterdir():
            for node, hour in re.findall(r"begins on (\S+) at \S+T(\d+):", log.read_text()):
                begun.setdefault(node, int(hour))
        self.assertIn((begun["node2"] - begun["node1"]) % 24, (1, 2), "the control: node2's clock is an hour off")

    def test_a_campaign_of_which_a_node_loses_power(self):
        submitted = self.start("campaign", str(CASES), CAMPAIGN)

        def has_found(task):
            """Whether an attempt of the task has a finding, and none has ended."""
            attempts = list(self.out.glob(f"work/tasks/{task}.*"))
            return any((attempt / "corpus.log/findings.ndjson").exists() for attempt in attempts) and not any(map(fuzz_task.ended, attempts))

        task = self.lose_power(submitted, has_found)
        code, summary, said = submitted.end(1500)
        self.assertEqual(code, 1, said)
        self.assertRegex(said, rf"task {task}: on node2 (it was killed|its node was lost)")
        rows = self.expect_all_findings(summary)
        print(f"{summary['counts']['cases']:,} cases, {len(rows)} findings, {summary['counts']['features']:,} features")
        self.assertEqual(len(summary["counts"]["cut_off"]), 1)

    def test_a_campaign_with_a_full_disk(self):
        submitted = self.start("campaign", str(CASES), CAMPAIGN, small_disk=(self.out / "work", "3M"))
        code, summary, said = submitted.end(1500)
        self.assertEqual(code, 1, said)
        self.assertRegex(said, r"task \d+: on node2 the disk was full; it was finished on node1")
        self.expect_all_findings(summary)

    def test_a_node_that_does_not_see_the_folder(self):
        submitted = self.start("sweep", SWEEP[0], SWEEP[1:], small_disk=(self.out / "work", "64M"))
        code, summary, said = submitted.end(1500)
        self.assertEqual(code, 0, said)
        self.assertIn("it ended well on node2, but its result is not here", said)
        self.assertEqual(summary["jobs"][-1]["without"], ["node2"])
        self.expect_the_whole_sweep()


class Mistakes(unittest.TestCase):
    def test_an_option_that_each_task_has(self):
        for words, told in ((("campaign", "1000", "--plan", "--", "--seed", "3"), "--seed of its own: leave it out after --; UPCAST_SEED=N"),
                            (("grid", "smoke", "--plan", "--", "--out=a.db"), "--out of its own"),
                            (("sweep", "exp", "--plan", "--", "--shard", "1/2"), "--shard of its own")):
            asked = run(sys.executable, HERE / "submit.py", *words[:3], "--upcast", UPCAST, *words[3:])
            self.assertEqual(asked.returncode, 2, asked)
            self.assertIn(told, asked.stderr)

    def test_a_merge_of_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            for kind in work.KINDS.values():
                self.assertEqual(kind([]).merge(UPCAST, pathlib.Path(folder)), (2, "no task has a result", {}))


@unittest.skipUnless(LONG, "for the night: --long")
class KilledAtRandom(ClusterTest):
    KILLS = 10

    def suffer(self, submitted):
        seed = random.randrange(1 << 32)
        killed = []
        thread = threading.Thread(target=lambda: killed.extend(kill_at_random(submitted, self.KILLS, random.Random(seed))))
        thread.start()
        code, summary, said = submitted.end(1800)
        thread.join()
        print(f"seed {seed}: killed {', '.join(killed)}")
        self.assertEqual(len(killed), self.KILLS, "the work was over too soon")
        return code, summary, said

    def test_grid(self):
        code, _, said = self.suffer(self.start("grid", GRID[1], GRID[2:]))
        self.assertEqual(code, 0, said)
        print(f"{self.expect_the_whole_grid():,} cases, each once")

    def test_sweep(self):
        code, _, said = self.suffer(self.start("sweep", SWEEP[0], SWEEP[1:]))
        self.assertEqual(code, 0, said)
        print(f"{self.expect_the_whole_sweep():,} inputs, each once")

    def test_campaign(self):
        code, summary, said = self.suffer(self.start("campaign", str(CASES), CAMPAIGN))
        self.assertEqual(code, 1, said)
        self.expect_all_findings(summary)


if __name__ == "__main__":
    if reason := why_not():
        print(f"submit_test: skipped: {reason}")
        sys.exit(SKIPPED)
    unittest.main(argv=sys.argv[:1] + [word for word in sys.argv[2:] if word != "--long"], verbosity=2)
