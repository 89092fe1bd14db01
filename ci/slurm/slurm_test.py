"""Tests a grid as a Slurm array on one host with two nodes, one of which dies in the middle of its job. Nothing is
lost, nothing is counted twice: the merged store equals that of an undivided run.

    slurm_test.py <upcast> <sbatch script>

Starts slurmctld and two slurmd of its own in a temporary folder, as root, without munge; ends them.
Exit 77: Slurm is not installed, or this is not root."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

from mini_cluster import SKIPPED, Cluster, wait_for, why_not
from store_progress import stored

GRID = ["--grid", "layouts", "--subject", "impl:cpu", "--oracle", "impl:emulated"]
SHARDS = 4


def main():
    upcast, script = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    if reason := why_not():
        print(f"slurm_test: skipped: {reason}")
        return SKIPPED
    folder = pathlib.Path(tempfile.mkdtemp(prefix="upcast-slurm-"))
    cluster = Cluster(folder)
    try:
        cluster.wait_until_idle()
        cluster.environment.update(UPCAST=str(upcast), UPCAST_OUT=str(folder))
        job = cluster.ask("sbatch", "--parsable", f"--array=1-{SHARDS}", f"--output={folder}/task-%a.log",
                          str(script), *GRID).strip()

        def running_on(node):
            # Finds a shard that runs on the node, has stored cases, and is not complete.
            for line in cluster.ask("squeue", "-h", "-r", "-j", job, "-w", node, "-t", "running", "-o", "%K").split():
                cases, complete = stored(folder / f"shard{line}.db")
                if cases > 0 and not complete:
                    return line, cases
            return None
        shard, before = wait_for("a job in the middle on node2", lambda: running_on("node2"), 120)
        killed = cluster.kill_node("node2")
        after = stored(folder / f"shard{shard}.db")
        print(f"node2 lost power in shard {shard}, with {before} cases stored: {killed} processes gone")
        if after[1] or killed < 3:
            raise SystemExit("slurm_test: the job was not killed in the middle")
        cluster.revive_node("node2")
        cluster.ask("scontrol", "update", f"jobid={job}_{shard}", "starttime=now")  # starts the requeued job now; Slurm would let it wait two minutes
        wait_for("the array's end", lambda: not cluster.ask("squeue", "-h", "-j", job).strip(), 300)
        log = (folder / f"task-{shard}.log").read_text()
        stores = [str(folder / f"shard{i}.db") for i in range(1, SHARDS + 1)]
        if stored(stores[int(shard) - 1])[0] < after[0]:
            raise SystemExit("slurm_test: cases that were stored are gone\n" + log)
        merged, whole = str(folder / "merged.db"), str(folder / "whole.db")
        subprocess.run([upcast, "merge", *stores, "-o", merged], check=True, stdout=subprocess.DEVNULL)
        counts = json.loads(subprocess.run([upcast, "run", *GRID, "--out", whole, "--json", "-"],
                                           capture_output=True, text=True).stdout)
        found = json.loads(subprocess.run([upcast, "diff", whole, merged, "--json", "-"], check=True,
                                          capture_output=True, text=True).stdout)
        # The merged store must have every case once, with the same answers as an undivided run.
        total = sum(found[key] for key in ("same", "still_failing"))
        if not counts["ran"] == counts["planned"] == total > 10000:
            raise SystemExit(f"slurm_test: {counts['ran']} cases ran undivided, {total} are the same: {found}")
        print(f"{SHARDS} shards on 2 nodes: {total} cases, each once, as in the undivided run")
        return 0
    finally:
        cluster.end()
        if sys.exc_info()[0] is None:
            shutil.rmtree(folder)
        else:
            print(f"slurm_test: logs are in {folder}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
