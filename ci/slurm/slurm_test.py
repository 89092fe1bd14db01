"""A grid as a Slurm array on one host: two nodes, one of which dies in the middle of its job. Nothing is
lost, nothing is counted twice: the merged store equals that of an undivided run.

    slurm_test.py <upcast> <sbatch script>

Starts slurmctld and two slurmd of its own in a temporary folder, as root, without munge; ends them.
Exit 77: Slurm is not installed, or this is not root."""
import json
import os
import pathlib
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time

GRID = ["--grid", "layouts", "--subject", "impl:cpu", "--oracle", "impl:emulated"]
SHARDS = 4
NODES = ["node1", "node2"]
CONFIG = pathlib.Path(__file__).with_name("slurm.conf.in").read_text()


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


class Cluster:
    def __init__(self, folder):
        self.folder = folder
        self.config = folder / "slurm.conf"
        self.config.write_text(CONFIG.format(folder=folder, ports=free_ports(3), host=socket.gethostname()))
        self.environment = dict(os.environ, SLURM_CONF=str(self.config))
        for name in ["state"] + ["spool-" + n for n in NODES]:
            (folder / name).mkdir()
        self.controller = self.start("slurmctld", "-D")
        self.nodes = {name: self.start("slurmd", "-D", "-N", name) for name in NODES}

    def start(self, program, *arguments):
        return subprocess.Popen([shutil.which(program) or f"/usr/sbin/{program}", *arguments, "-f", self.config],
                                env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def ask(self, *command):
        return subprocess.run(command, env=self.environment, check=True, capture_output=True, text=True).stdout

    def kill_node(self, name):
        """Simulates a power loss of the node: kills its daemon and all processes below it at once."""
        jobs = {pid for pid, environment in processes() if f"SLURMD_NODENAME={name}\0" in environment}
        # The supervisor of a job has no variable that identifies it; it is the parent of the job's script.
        shepherds = {parent for parent in map(parent_of, jobs) if parent and command_of(parent) == "slurmstepd"}
        doomed = {self.nodes[name].pid} | jobs | shepherds
        for signal_ in (signal.SIGSTOP, signal.SIGKILL):  # so that no job notices the death of another one
            for pid in doomed:
                try:
                    os.kill(pid, signal_)
                except ProcessLookupError:
                    pass
        self.nodes[name].wait()
        self.ask("scontrol", "update", f"nodename={name}", "state=down", "reason=lost power")
        return len(doomed)

    def revive_node(self, name):
        """It registers by itself (ReturnToService=2)."""
        self.nodes[name] = self.start("slurmd", "-D", "-N", name)

    def end(self):
        for process in [*self.nodes.values(), self.controller]:
            process.terminate()
        for process in [*self.nodes.values(), self.controller]:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


def processes():
    """(pid, its environment) of all that may be read."""
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            yield int(folder.name), (folder / "environ").read_bytes().decode(errors="replace")
        except OSError:
            pass


def parent_of(pid):
    try:
        return int(pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return None


def command_of(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def wait_for(what, condition, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.05)
    raise SystemExit(f"slurm_test: {what}: not within {seconds} s")


def blocks(store):
    """(blocks stored, complete) of a store that may be under way."""
    try:
        with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as database:
            stored = database.execute("SELECT count(*) FROM block").fetchone()[0]
            complete = database.execute("SELECT value FROM meta WHERE key = 'complete'").fetchone()
            return stored, bool(complete and complete[0] == "1")
    except sqlite3.OperationalError:
        return 0, False


def main():
    upcast, script = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    slurm = all(shutil.which(p) or pathlib.Path(f"/usr/sbin/{p}").exists() for p in ("slurmctld", "slurmd", "sbatch"))
    if not slurm or os.geteuid() != 0:
        print("slurm_test: skipped: needs slurmctld, slurmd and sbatch, and root")
        return 77
    folder = pathlib.Path(tempfile.mkdtemp(prefix="upcast-slurm-"))
    cluster = Cluster(folder)
    try:
        def idle():
            return subprocess.run(["sinfo", "-h", "-t", "idle", "-o", "%D"], env=cluster.environment,
                                  capture_output=True, text=True).stdout.strip() == "2"
        wait_for("two idle nodes", idle, 60)
        cluster.environment.update(UPCAST=str(upcast), UPCAST_OUT=str(folder))
        job = cluster.ask("sbatch", "--parsable", f"--array=1-{SHARDS}", f"--output={folder}/task-%a.log",
                          str(script), *GRID).strip()

        def running_on(node):
            # A running shard of the node that has stored blocks and is not complete.
            for line in cluster.ask("squeue", "-h", "-r", "-j", job, "-w", node, "-t", "running", "-o", "%K").split():
                stored, complete = blocks(folder / f"shard{line}.db")
                if stored > 0 and not complete:
                    return line, stored
            return None
        shard, stored = wait_for("a job in the middle on node2", lambda: running_on("node2"), 120)
        killed = cluster.kill_node("node2")
        after = blocks(folder / f"shard{shard}.db")
        print(f"node2 lost power in shard {shard}, with {stored} blocks stored: {killed} processes gone")
        if after[1] or killed < 3:
            raise SystemExit("slurm_test: the job was not killed in the middle")
        cluster.revive_node("node2")
        cluster.ask("scontrol", "update", f"jobid={job}_{shard}", "starttime=now")  # a requeued job waits two minutes
        wait_for("the array's end", lambda: not cluster.ask("squeue", "-h", "-j", job).strip(), 300)
        log = (folder / f"task-{shard}.log").read_text()
        stores = [str(folder / f"shard{i}.db") for i in range(1, SHARDS + 1)]
        if blocks(stores[int(shard) - 1])[0] < after[0]:
            raise SystemExit("slurm_test: blocks that were stored are gone\n" + log)
        merged, whole = str(folder / "merged.db"), str(folder / "whole.db")
        subprocess.run([upcast, "merge", *stores, "-o", merged], check=True, stdout=subprocess.DEVNULL)
        counts = json.loads(subprocess.run([upcast, "run", *GRID, "--out", whole, "--json", "-"],
                                           capture_output=True, text=True).stdout)
        found = json.loads(subprocess.run([upcast, "diff", whole, merged, "--json", "-"], check=True,
                                          capture_output=True, text=True).stdout)
        # Every case once, with the same answers as in one run.
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
