#!/usr/bin/env python3
"""Runs work on a Slurm cluster: plans its tasks, submits and watches them, submits again those that died, merges results, and reports.

    submit.py campaign 10^9 --out FOLDER [option]... [-- argument of upcast fuzz...]
    submit.py sweep    pow  --out FOLDER [option]... [-- argument of upcast sweep...]
    submit.py grid     full --out FOLDER [option]... [-- argument of upcast run...]
    submit.py resume   FOLDER          # where submit.py itself was ended

FOLDER is on a file system that all nodes see. --plan says what it would cost, and ends. docs/how_to/run_on_a_cluster.md.
"""
import argparse
import json
import os
import pathlib
import re
import shlex
import shutil
import sys
import time

import cluster
import task_logs
import work
import workflow

HERE = pathlib.Path(__file__).resolve().parent


def number(text):
    """10^9, 1e9, 1000000000."""
    power = re.fullmatch(r"(\d+)\^(\d+)", text)
    value = int(power[1]) ** int(power[2]) if power else float(text.replace(",", ""))
    if value < 1 or value != int(value):
        raise argparse.ArgumentTypeError(f"{text} is no number of cases")
    return int(value)


def command_line():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = parser.add_subparsers(dest="kind", required=True)
    for kind, about, kind_of in (("campaign", "cases in all", number), ("sweep", "a callable", str), ("grid", "a grid's name", str)):
        command = kinds.add_parser(kind)
        command.add_argument("target", type=kind_of, help=about)
        command.add_argument("--out", type=pathlib.Path, help="a new folder, on a file system that all nodes see")
        command.add_argument("--tasks", type=int, default=0, help="of the array, instead of as many as --hours asks for")
        command.add_argument("--hours", type=float, default=4, help="that a task may take (4)")
        command.add_argument("--most-tasks", type=int, default=1000, help="that Slurm takes in an array (1000)")
        command.add_argument("--cpus", type=int, default=1, help="of a task (1)")
        command.add_argument("--measure", default="", help="where the rate is measured: 'srun -n1 -t10' (here)")
        command.add_argument("--sbatch", default="", help="more for sbatch: '--partition=long --account=me'")
        command.add_argument("--follow-up", type=float, default=120, help="seconds for making a campaign's findings simple (120)")
        command.add_argument("--workflow", type=pathlib.Path, help="writes a grid's plan as a workflow of GitHub Actions, and ends")
        command.add_argument("--plan", action="store_true", help="says what it would cost, and ends")
    kinds.add_parser("resume").add_argument("out", type=pathlib.Path)
    for command in kinds.choices.values():
        command.add_argument("--upcast", default=shutil.which("upcast") or "upcast", help="the command, as the nodes see it")
        command.add_argument("--tries", type=int, default=3, help="times that what died is submitted again (3)")
        command.add_argument("--poll", type=float, default=30, help="seconds between two looks (30)")
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    options = parser.parse_args(words[:end])
    options.arguments = words[end + 1:]  # what follows `--` goes to upcast's command
    own = work.KINDS[options.kind].own if options.kind in work.KINDS else ()
    for name in (word.split("=")[0] for word in options.arguments):
        if name in own:
            hint = "; UPCAST_SEED=N chooses the seeds" if name == "--seed" else ""
            parser.error(f"each task of a {options.kind} gets a {name} of its own: leave it out after --{hint}")
    return options


class Run:
    """One piece of work on the cluster, from its plan to the merged result. All its state is in its folder, so that it can be resumed."""

    def __init__(self, out, options, plan=None):
        self.out, self.options = out.resolve(), options
        if plan is not None:
            if any(path.is_file() for path in self.out.rglob("*")):
                raise SystemExit(f"{out} holds files already: name a new --out, or 'submit.py resume {out}'")
            for folder in ("logs", "work"):
                (self.out / folder).mkdir(parents=True, exist_ok=True)
            self.write("plan.json", plan)
            self.write("state.json", {"jobs": [], "nodes": {}, "notes": [], "blind": []})
        elif not (self.out / "plan.json").exists():
            raise SystemExit(f"{out} holds no plan: submit.py campaign, sweep or grid makes one")
        self.plan, self.state = self.read("plan.json"), self.read("state.json")
        self.work = work.KINDS[self.plan["kind"]](self.plan["arguments"], self.plan["cases"], self.plan["follow_up"])

    def read(self, name):
        return json.loads((self.out / name).read_text())

    def write(self, name, data):
        draft = self.out / f".{name}.new"
        draft.write_text(json.dumps(data, indent=1) + "\n")
        draft.replace(self.out / name)

    def attempts(self):
        return {task: task_logs.attempts_of(self.out / f"logs/task-{task}.log") for task in range(1, self.plan["tasks"] + 1)}

    def left(self):
        """The tasks that have not ended well, or whose result this machine does not see: their node may have another folder of this name."""
        return [task for task, attempts in self.attempts().items()
                if not (task_logs.is_done(attempts) and self.work.has_result(self.out / "work", task))]

    def unfit(self):
        """Nodes that get no more tasks: their disk was full, or this machine does not see their results."""
        full = {attempt.node for attempts in self.attempts().values() for attempt in attempts
                if attempt.code and attempt.cause == task_logs.DISK}
        return full | set(self.state["blind"])

    def look_for_results(self):
        """Notes the nodes where a task ended well although this machine does not see its result."""
        for task, attempts in self.attempts().items():
            if task_logs.is_done(attempts) and not self.work.has_result(self.out / "work", task):
                node = attempts[-1].node
                self.state["notes"].append(f"task {task}: it ended well on {node}, but its result is not here: does {node} see {self.out}?")
                self.state["blind"] = sorted({*self.state["blind"], node})
        self.write("state.json", self.state)

    def submit(self, tasks):
        environment = {"UPCAST": self.plan["upcast"], "UPCAST_OUT": str(self.out / "work"), "UPCAST_SLURM": str(HERE), **self.work.environment(self.plan)}
        unfit = self.unfit()
        job = cluster.submit(str(HERE / self.work.script), self.plan["arguments"], tasks, environment, {
            "out": self.out, "cpus": self.plan["cpus"], "minutes": self.plan["minutes"], "exclude": unfit, "sbatch": self.plan["sbatch"]})
        self.state["jobs"].append({"job": job, "tasks": tasks, "without": sorted(unfit)})
        self.write("state.json", self.state)
        self.say(f"job {job}: tasks {cluster.ranges(tasks)}" + (f", without {', '.join(sorted(unfit))}" if unfit else ""))

    def say(self, text):
        print(f"submit: {text}", flush=True)

    def watch(self):
        """Waits until the last array has left the queue, and notes what happens to its nodes."""
        job = self.state["jobs"][-1]["job"]
        told = None
        while tasks := cluster.queued(job):
            for node, state in cluster.bad_nodes().items():
                if self.state["nodes"].get(node) != state:
                    self.state["nodes"][node] = state
                    self.write("state.json", self.state)
                    self.say(f"{node} is {state}")
            if stuck := cluster.held(tasks):
                self.state["notes"] += [f"task {task}: Slurm could not launch it ({tasks[task][2]})" for task in sorted(stuck)]
                self.write("state.json", self.state)
                cluster.cancel(job, stuck)
            running = sum(state == "RUNNING" for state, _, _ in tasks.values())
            now = f"{self.plan['tasks'] - len(self.left())} of {self.plan['tasks']} tasks done, {running} running"
            if now != told:
                self.say(now)
            told = now
            time.sleep(self.options.poll)
        self.look_for_results()

    def run(self):
        """The exit code."""
        if not self.state["jobs"]:
            self.submit(self.left())
        self.watch()
        while (left := self.left()) and len(self.state["jobs"]) <= self.options.tries:
            self.submit(left)
            self.watch()
        return self.finish()

    def finish(self):
        for path in self.work.merged(self.out):  # of a merge before this one
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        code, said, counts = self.work.merge(self.plan["upcast"], self.out)
        attempts = self.attempts()
        left = self.left()
        stories = [story for task, each in attempts.items() if (story := task_logs.story(task, each))]
        lines = [f"{self.plan['kind']}: {self.plan['tasks'] - len(left)} of {self.plan['tasks']} tasks done in "
                 f"{sum(map(len, attempts.values()))} attempts, {len(self.state['jobs'])} submissions",
                 *stories, *self.state["notes"], *(f"{node} was {state}" for node, state in self.state["nodes"].items()), said]
        # if a task is not finished the work is incomplete (exit code 3), even if the merge found no fault in the other tasks
        code = 3 if left and code in (0, 1) else code
        self.write("summary.json", {"plan": self.plan, "jobs": self.state["jobs"], "nodes": self.state["nodes"],
                                    "events": stories + self.state["notes"], "left": left, "counts": counts, "merge": said,
                                    "attempts": {task: [{"node": one.node, "code": one.code, "cause": one.cause if one.code != 0 else ""}
                                                        for one in each] for task, each in attempts.items()}, "exit_code": code})
        print("\n".join(lines))
        return code


def planned(options):
    kind = work.KINDS[options.kind]
    first = {"campaign": [], "sweep": [str(options.target)], "grid": ["--grid", str(options.target)]}[options.kind]
    options.cases = options.target if options.kind == "campaign" else 0
    arguments = first + options.arguments
    rate = kind(arguments, options.cases).measure(options.upcast, shlex.split(options.measure))
    plan = work.make_plan(options.kind, arguments, rate, options)
    # the time limit is twice the estimate, because nodes differ in speed; a task that reaches it goes on in the next submission
    plan["minutes"] = max(10, int(2 * 60 * plan["task_hours"]))
    plan["sbatch"], plan["upcast"] = shlex.split(options.sbatch), os.path.abspath(options.upcast)
    speed = rate.units / rate.seconds
    print(f"submit: {plan['total']:,} {kind.unit}s at {speed:,.{0 if speed >= 10 else 2}f} a second of a core: {plan['core_hours']:.3g} core hours; "
          f"{plan['tasks']} tasks of {plan['cpus']} cores, {plan['task_hours']:.3g} hours each", flush=True)
    return plan


def main():
    options = command_line()
    if options.kind == "resume":
        return Run(options.out, options).run()
    if not (options.out or options.plan or options.workflow):
        raise SystemExit("where to? name an --out that all nodes see, or ask for the --plan alone")
    plan = planned(options)
    if options.workflow:
        options.workflow.write_text(workflow.workflow_of(plan))
    return 0 if options.plan or options.workflow else Run(options.out, options, plan).run()


if __name__ == "__main__":
    sys.exit(main())
