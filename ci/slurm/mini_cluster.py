"""Starts a Slurm cluster on one host, for tests: slurmctld and two slurmd, with all files in one folder, as root, without munge.

    mini_cluster.py COMMAND...      runs the command on such a cluster, which ends with it
"""
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

NODES = ["node1", "node2"]
CONFIG = pathlib.Path(__file__).with_name("slurm.conf.in").read_text()
SKIPPED = 77
# PROLOG gives each task of node2 a wrong clock. Times of files stay right, because on a cluster a file server sets them.
FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"
PROLOG = f"""#!/bin/bash
[[ $SLURMD_NODENAME == {NODES[1]} ]] || exit 0
echo export LD_PRELOAD={FAKETIME}
echo export FAKETIME={{hours:+}}h
echo export DONT_FAKE_MONOTONIC=1
echo export NO_FAKE_STAT=1
"""


def why_not():
    """Why there can be no cluster here, or ""."""
    programs = all(shutil.which(p) or pathlib.Path(f"/usr/sbin/{p}").exists() for p in ("slurmctld", "slurmd", "sbatch"))
    return "" if programs and os.geteuid() == 0 else "needs slurmctld, slurmd and sbatch, and root"


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


class Cluster:
    """A cluster of node1 and node2. `small_disk`: (folder, size); in node2 that folder is a disk of its own of that size.
    `hours`: by how much the clock of node2's tasks is wrong."""

    def __init__(self, folder, small_disk=None, hours=0):
        self.folder = folder
        self.config = folder / "slurm.conf"
        prolog = folder / "prolog.sh"
        prolog.write_text(PROLOG.format(hours=hours) if hours else "#!/bin/bash\n")
        prolog.chmod(0o755)
        self.config.write_text(CONFIG.format(folder=folder, ports=free_ports(3), host=socket.gethostname(), prolog=prolog))
        self.environment = dict(os.environ, SLURM_CONF=str(self.config), PATH=os.environ["PATH"] + ":/usr/sbin")
        for name in ["state"] + ["spool-" + n for n in NODES]:
            (folder / name).mkdir()
        self.small_disk = small_disk
        self.controller = self.start("slurmctld", "-D")
        self.nodes = {name: self.start_node(name) for name in NODES}

    def start(self, *command):
        program = shutil.which(command[0], path=self.environment["PATH"])
        return subprocess.Popen([program, *command[1:], "-f", self.config], env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def start_node(self, name):
        command = ["slurmd", "-D", "-N", name]
        if self.small_disk and name == NODES[1]:
            path, size = self.small_disk
            mount = f"mount -t tmpfs -o size={size} tmpfs '{path}' && exec \"$@\""
            command = ["unshare", "--mount", "sh", "-c", mount, "sh", *command]  # a mount namespace, so that only this node sees the small disk
        return self.start(*command)

    def wait_until_idle(self):
        def idle():
            return subprocess.run(["sinfo", "-h", "-t", "idle", "-o", "%D"], env=self.environment,
                                  capture_output=True, text=True).stdout.strip() == str(len(NODES))
        wait_for("two idle nodes", idle, 300)

    def ask(self, *command):
        return subprocess.run(command, env=self.environment, check=True, capture_output=True, text=True).stdout

    def stop_node(self, name):
        """Stops a node's daemon and all processes of its jobs, so that no job sees another one die. Returns their ids."""
        # SLURM_CONF must fit too: a node of another cluster on this host may have the same name
        jobs = {pid for pid, environment in processes() if f"SLURMD_NODENAME={name}\0" in environment and f"SLURM_CONF={self.config}\0" in environment}
        # slurmstepd does not have the job's environment, so it is found as the parent of the job's script.
        shepherds = {parent for parent in map(parent_of, jobs) if parent and command_of(parent) == "slurmstepd"}
        doomed = {self.nodes[name].pid} | jobs | shepherds
        send(signal.SIGSTOP, doomed)
        return doomed

    def kill_node(self, name):
        """Kills a node's daemon and all processes of its jobs at once, as if the node lost power. Returns how many."""
        doomed = self.stop_node(name)
        send(signal.SIGKILL, doomed)
        self.nodes[name].wait()
        self.ask("scontrol", "update", f"nodename={name}", "state=down", "reason=lost power")
        return len(doomed)

    def revive_node(self, name):
        """Starts the node's daemon again. Slurm then takes the node back without a command (ReturnToService=2)."""
        self.nodes[name] = self.start_node(name)

    def end(self):
        for process in [*self.nodes.values(), self.controller]:
            process.terminate()
        for process in [*self.nodes.values(), self.controller]:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


def send(what, pids):
    for pid in pids:
        try:
            os.kill(pid, what)
        except ProcessLookupError:
            pass


def processes():
    """(process id, environment) of each process whose environment this user may read."""
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
    raise SystemExit(f"{what}: not within {seconds} s")


def main():
    if reason := why_not():
        raise SystemExit(reason)
    with tempfile.TemporaryDirectory(prefix="upcast-cluster-") as folder:
        cluster = Cluster(pathlib.Path(folder))
        try:
            cluster.wait_until_idle()
            return subprocess.run(sys.argv[1:], env=cluster.environment).returncode
        finally:
            cluster.end()


if __name__ == "__main__":
    sys.exit(main())
