"""Reads from logs what happened to the tasks of an array: fuzz.sbatch, sweep.sbatch and run_grid.sbatch say when a task
begins, where, and how it ends. A task that was killed does not say that it ends. Times are not compared: clocks differ."""
import dataclasses
import re

BEGINS, ENDS = re.compile(r"^upcast-task: begins on (\S+)"), re.compile(r"^upcast-task: ends with (\d+)")
# Why an attempt failed, and the text in its log that shows it. The first entry that fits counts: the most certain is first.
CAUSES = [("the disk was full", re.compile(r"disk is full|disk full|No space left|quota exceeded", re.I)),
          ("it ran out of time", re.compile(r"DUE TO TIME LIMIT")),
          ("it ran out of memory", re.compile(r"oom.kill|out of memory", re.I)),
          ("its node was lost", re.compile(r"DUE TO NODE FAILURE")),
          ("it was given back", re.compile(r"DUE TO (JOB REQUEUE|PREEMPTION)"))]
DISK = CAUSES[0][0]


@dataclasses.dataclass
class Attempt:
    node: str
    code: int | None = None  # the exit code; None: it has not ended, or was killed
    text: str = ""

    @property
    def cause(self):
        """Why the attempt did not end well, in words."""
        for cause, said in CAUSES:
            if said.search(self.text):
                return cause
        if self.code is None:
            return "it was killed"
        last = self.text.strip().splitlines()
        return f"it ended with {self.code}" + (f": {last[-1][:200]}" if last else "")


def attempts_of(log):
    """The attempts of a task, in order, as its log file tells them."""
    attempts = []
    text = log.read_text(errors="replace") if log.exists() else ""
    for line in text.replace("\r", "\n").splitlines():
        if begins := BEGINS.match(line):
            attempts.append(Attempt(begins[1]))
        elif not attempts:
            continue
        elif ends := ENDS.match(line):
            attempts[-1].code = int(ends[1])
        else:
            attempts[-1].text += line + "\n"
    return attempts


def is_done(attempts):
    """Whether the last attempt ended well. Earlier ones do not count: they may have written their results where submit.py cannot see them."""
    return bool(attempts) and attempts[-1].code == 0


def story(task, attempts):
    """A line that says where and why attempts of a task failed; None if none failed."""
    failed = [attempt for attempt in attempts if attempt.code != 0]
    if not failed:
        return None if attempts else f"task {task}: it never began"
    said = "; ".join(f"on {attempt.node} {attempt.cause}" for attempt in failed)
    return f"task {task}: {said}; " + (f"it was finished on {attempts[-1].node}" if is_done(attempts) else "it is not finished")
