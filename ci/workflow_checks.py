"""What the tests of workflow files and of the action share: linters, and a function that runs a step as a runner does."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "upcast"
CI = pathlib.Path(__file__).parent
# Rules for zizmor: actions of the organisations `actions` and `github` may be named by a tag, because they own the runner that
# executes the workflow anyway. All other actions must be named by a hash.
ZIZMOR_RULES = 'rules: {unpinned-uses: {config: {policies: {"actions/*": ref-pin, "github/*": ref-pin, "*": hash-pin}}}}'
EXPRESSION = re.compile(r"\$\{\{.*?\}\}", re.S)


def fetched(name, pins):
    """The cache's folder with the wheels that the file `pins` lists. Exits with 77 (skipped) if ci/setup.sh has not filled it."""
    version = re.search(r"^[^#=\n]*==(\S*)", (CI / pins).read_text(), re.M).group(1)
    folder = CACHE / f"{name}-{version}"
    if not folder.is_dir():
        print(f"skipped: no {folder}; ci/setup.sh fetches it")
        sys.exit(77)
    return folder


READERS, LINTERS = fetched("readers", "readers.txt"), fetched("workflow-linters", "workflow_linters.txt")
SCHEMAS = READERS / "check_jsonschema/builtin_schemas/vendor"
sys.path.insert(0, str(READERS))


def find_linter(name):
    """The path of a linter in the cache; exits with 77 (skipped) if it is not there, as after ci/setup.sh of an older version."""
    found = list(LINTERS.glob(f"*.data/scripts/{name}"))
    if not found:
        print(f"skipped: no {name} in {LINTERS}; ci/setup.sh fetches it")
        sys.exit(77)
    return found[0]


ZIZMOR, SHELLCHECK, HADOLINT = map(find_linter, ("zizmor", "shellcheck", "hadolint"))


def zizmor(text, name):
    """What zizmor finds in the text if a file of that name holds it, a line for each finding."""
    with tempfile.TemporaryDirectory(prefix="upcast-workflow-") as folder:
        file, settings = pathlib.Path(folder) / name, pathlib.Path(folder) / "zizmor.yml"
        file.write_text(text)
        settings.write_text(ZIZMOR_RULES)
        done = subprocess.run([ZIZMOR, "--offline", "--no-progress", "--strict-collection", "--config", settings, file],
                              capture_output=True, text=True)
    # The test looks for expressions itself, because zizmor only warns of one that it cannot read, and exits with 0.
    return re.findall(r"couldn't parse expression.*", done.stderr) + ([done.stdout + done.stderr] if done.returncode else [])


def shellcheck(script):
    done = subprocess.run([SHELLCHECK, "--shell=bash", "-"], input=EXPRESSION.sub("0", script), capture_output=True,
                          text=True)
    return [done.stdout] if done.returncode != 0 else []


def run_step(script, folder, environment):
    """Runs a step's script in a folder, as a runner does. Returns (exit code, what it printed, the outputs that it set)."""
    files = {key: folder / key for key in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    files["GITHUB_OUTPUT"].write_text("")
    done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script], cwd=folder, capture_output=True, text=True,
                          env=os.environ | environment | {key: str(path) for key, path in files.items()})
    outputs = dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text().splitlines())
    return done.returncode, done.stdout + done.stderr, outputs
