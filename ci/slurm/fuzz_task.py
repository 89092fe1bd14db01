"""Runs one task of a campaign on a cluster: upcast fuzz, for the cases that earlier attempts of this task left.

    fuzz_task.py ARGUMENT_OF_UPCAST_FUZZ...

Each attempt has a folder of its own, $UPCAST_OUT/tasks/TASK.ATTEMPT, which no other process writes: a node that was given
up may still run, and two nodes must not write one file. What an attempt has is merged in the end, killed or not.
"""
import json
import math
import os
import pathlib
import subprocess
import sys

PRUNE_EVERY = os.environ.get("UPCAST_PRUNE_EVERY", "300")  # seconds between prunings of the shared corpus, by task 1 only


def cases_of(attempt):
    """The cases that an attempt has counted. A file that was half written when its process was killed counts none."""
    total = 0
    for path in attempt.glob("corpus.log/progress.*"):
        if path.name.endswith(".new"):
            continue
        try:
            total += json.loads(path.read_text())["cases"]
        except (ValueError, OSError):
            pass
    return total


def new_attempt(tasks, task):
    """Makes the folder of a task's next attempt, and returns its number. mkdir is atomic, so two nodes never get one folder."""
    tasks.mkdir(parents=True, exist_ok=True)
    number = 1
    while True:
        try:
            (tasks / f"{task}.{number}").mkdir()
            return number
        except FileExistsError:
            number += 1


def seed_of(base, task, attempt):
    """The seed of an attempt: different for each attempt of each task, and below 2^31, which the engine demands."""
    return (base + 131071 * task + 65537 * (attempt - 1)) % (1 << 31)


def ended(attempt):
    try:
        return json.loads((attempt / "corpus.log/campaign.json").read_text())["complete"]
    except (OSError, ValueError, KeyError):
        return False


def main():
    task = int(os.environ["SLURM_ARRAY_TASK_ID"])
    out = pathlib.Path(os.environ.get("UPCAST_OUT") or os.environ["SLURM_SUBMIT_DIR"])
    jobs = int(os.environ.get("SLURM_CPUS_PER_TASK", "1"))
    tasks = out / "tasks"
    left = int(os.environ["UPCAST_CASES"]) - sum(map(cases_of, tasks.glob(f"{task}.*")))
    if left <= 0:
        return 0
    number = new_attempt(tasks, task)
    attempt = tasks / f"{task}.{number}"
    command = [os.environ.get("UPCAST", "upcast"), "fuzz", *sys.argv[1:], "--runs", str(math.ceil(left / jobs)), "--jobs", str(jobs),
               "--seed", str(seed_of(int(os.environ.get("UPCAST_SEED", "1")), task, number)), "--corpus", str(attempt / "corpus"),
               "--follow-up", "0", "--json", str(attempt / "campaign.json")]
    if os.environ.get("UPCAST_EXCHANGE", "1") != "0":
        command += ["--exchange", str(out / "shared")]
        command += ["--prune-every", PRUNE_EVERY] if task == 1 else []
    code = subprocess.run(command).returncode
    # Findings, and too few judged cases, are no failure of this task: the merged campaign reports both.
    return 0 if code in (1, 3) and ended(attempt) else code


if __name__ == "__main__":
    sys.exit(main())
