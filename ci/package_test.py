"""Tests the wheel and the archive as a user gets them: makes them from a build tree's programs, installs them elsewhere, and runs them.

    package_test.py wheel|archive SOURCE BUILD

The torch of the test is the LibTorch that the build tree is linked with, as links in a folder of its own. Exits with 77
(skipped) where the tools that make a wheel are not in the cache and cannot be fetched."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

KIND, SOURCE, BUILD = sys.argv[1], *(pathlib.Path(argument).resolve() for argument in sys.argv[2:4])
ENGINES = [name for name in ("notation", "elementwise") if (BUILD / "bin" / f"fuzz-{name}").exists()]
MISSING = "this command needs LibTorch"


def call(command, expected=0, **options):
    """Runs the command, fails unless it ends with the expected exit code, and gives its standard output and error."""
    ended = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if ended.returncode != expected:
        raise AssertionError(f"{command}: exit code {ended.returncode}, not {expected}\n{ended.stdout}")
    return ended.stdout


def made(script, folder):
    """Makes the wheel or the archive from the build tree's programs, by ci/wheel.sh or ci/package.sh. Returns its path."""
    ended = subprocess.run([SOURCE / "ci" / script, "--of", BUILD, folder], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if "cannot fetch" in ended.stdout:
        print(f"skipped: {ended.stdout}")
        sys.exit(77)
    print(ended.stdout, end="")
    assert ended.returncode == 0, ended.stdout
    return next(folder.iterdir())


def libraries():
    """{name: path} of the libraries that the worker of the build tree loads."""
    return dict(re.findall(r"(\S+) => (/\S+)", call(["ldd", BUILD / "bin/upcast-worker"])))


def link_torch(folder):
    """Makes a folder that looks like pip's torch, with NVIDIA's wheels next to it: links to the libraries that the build tree loads."""
    loaded = libraries()
    root = pathlib.Path(loaded["libtorch_cpu.so"]).parent.parent
    (folder / "torch/lib").mkdir(parents=True)
    for entry in (root / "lib").iterdir():
        (folder / "torch/lib" / entry.name).symlink_to(entry)
    (folder / "torch/include").symlink_to(root / "include")
    if (root / "version.py").exists():
        shutil.copy(root / "version.py", folder / "torch")
    (folder / "nvidia/cu13/lib").mkdir(parents=True)
    for name, path in loaded.items():
        if name.startswith(("libcudart", "libcupti")):
            (folder / "nvidia/cu13/lib" / name).symlink_to(path)
    return folder / "torch"


class Installed:
    """The tests that the wheel and the archive share. `self.package` holds bin and share; `self.torch` is where they look for torch."""

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="upcast-package-")
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.install()
        cls.work = cls.folder / "work"
        cls.work.mkdir()
        cls.elsewhere = link_torch(cls.folder / "elsewhere")
        cls.environment = {"PATH": f"{cls.bin}:/usr/local/bin:/usr/bin:/bin", "HOME": str(cls.folder), "LANG": "C.UTF-8"}
        cls.with_torch()
        cls.upcast("run", "--grid", "smoke", "--out", "smoke.db")

    @classmethod
    def upcast(cls, *arguments, expected=0, **variables):
        return call(["upcast", *arguments], expected, cwd=cls.work, env=cls.environment | variables)

    def check_what_needs_no_libtorch(self):
        self.assertIn("float32[3]", self.upcast("explain", "add(int32[3], 5.5)"))
        self.assertIn("add.Tensor", self.upcast("list", "ops", "add"))
        self.upcast("report", "smoke.db", "-o", "alone.html")
        self.assertIn("impl:cpu", (self.work / "alone.html").read_text())
        self.assertIn("45,", self.upcast("diff", "smoke.db", "smoke.db"))

    def check_one_line(self, *said, arguments=("run", "add(int32[3], 5.5)"), **variables):
        """Checks that a command ends with exit code 2 and one line, which has all texts of `said` and the command of pip."""
        told = self.upcast(*arguments, expected=2, **variables)
        self.assertEqual(told.count("\n"), 1, told)
        for text in (*said, "run: pip install torch=="):
            self.assertIn(text, told)

    def test_every_command_works_from_another_folder(self):
        self.upcast("report", "smoke.db", "-o", "smoke.html")
        self.assertIn("agree", self.upcast("explain", "add(int32[3], 5.5)", "--oracle", "libtorch:cpu"))
        self.assertIn("mul.Tensor", self.upcast("minimize", "mul.Tensor(float8_e5m2[4,3], 2.5)"))
        self.assertIn("int main", self.upcast("repro", "mul.Tensor(float8_e5m2[1], 2.5)", "--cpp", "-"))
        self.assertIn("libtorch:cpu", self.upcast("sweep", "neg", "--dtype", "float16"))
        self.assertIn("agree", self.upcast("run", "neg(float16[3])", "--subject", "impl:emulated"))
        for target in ENGINES:
            self.upcast("fuzz", "--target", target, "--runs", "500")
        self.assertIn("libtorch:cpu  ", self.upcast("list", "subjects"))
        cases = self.package / "share/upcast/cases/promotion"
        self.upcast("run", "--cases", next(cases.glob("*.cases")))

    def test_the_programs_know_no_folder_of_the_build(self):
        programs = sorted((self.package / "bin").iterdir())
        self.assertEqual(len(programs), 15 if ENGINES else 8, programs)
        for program in programs:
            dynamic = call(["readelf", "-d", program])
            paths = re.findall(r"R(?:UN)?PATH\).*\[(.*)\]", dynamic)
            self.assertEqual(set(paths), {"$ORIGIN/../lib"}, program)
            self.assertNotIn(".debug_info", call(["readelf", "-S", program]))
        bundled = [file.name for file in (self.package / "lib").rglob("*.so*")]
        self.assertTrue(any("libflint" in name for name in bundled), bundled)
        self.assertFalse([name for name in bundled if re.match("lib(torch|c10|cu)", name)])

    def test_templates_are_built_and_checked(self):
        share = self.package / "share/upcast"
        shutil.copytree(share / "template", self.work / "mine")
        call(["cmake", "-S", "mine", "-B", "mine/build", f"-DCMAKE_PREFIX_PATH={self.package}"], cwd=self.work)
        call(["cmake", "--build", "mine/build"], cwd=self.work)
        library = "mine/build/libmine.so"
        self.upcast("check-plugin", library)
        smoke = ["run", "--grid", "smoke", "--subject", f"plugin:{library}", "--out", "mine.db"]
        told = self.upcast(*smoke, expected=3)
        self.assertIn("mine 1.0 agrees with libtorch:cpu in all 4 judged cases; 45,782 of 45,786 were not judged.", told)
        self.upcast(*smoke, "--min-judged", "4")
        self.upcast(*smoke, "--min-judged", "5", expected=1)
        self.upcast("report", "mine.db", "-o", "mine.html")
        self.upcast("check-plugin", f"python3 {share}/python/template/backend.py", PYTHONPATH=f"{share}/python")

    def test_without_torch_one_line_says_what_to_install(self):
        self.without_torch()
        self.addCleanup(self.with_torch)
        self.check_what_needs_no_libtorch()
        commands = [["run", "--grid", "smoke"], ["sweep", "neg"], ["minimize", "neg(int8[1])"],
                    ["explain", "neg(int8[1])", "--oracle", "libtorch:cpu"]]
        for arguments in commands + ([["fuzz", "--runs", "1"]] if ENGINES else []):
            self.check_one_line(MISSING, "no lib/libtorch_cpu.so", arguments=arguments)
        self.assertIn("no: " + MISSING, self.upcast("list", "subjects"))
        self.assertIn("agree", self.upcast("run", "add(int32[3], 5.5)", LIBTORCH=str(self.elsewhere)))
        self.assertIn("agree", self.upcast("run", "add(int32[3], 5.5)", LIBTORCH=str(self.elsewhere.parent)))
        self.check_one_line(MISSING, "LIBTORCH=/nowhere", LIBTORCH="/nowhere")

    def test_a_torch_that_does_not_match_is_named(self):
        other = self.folder / "other"
        (other / "torch").mkdir(parents=True)
        (other / "torch/lib").symlink_to(self.elsewhere / "lib")
        version = re.search("[0-9.]+", (self.package / "share/upcast/libtorch_version").read_text()).group()

        def told_version(text, cuda="None"):
            (other / "torch/version.py").write_text(f"__version__ = '{text}'\ndebug = False\ncuda: Optional[str] = {cuda}\n")

        told_version("2.14.1+cpu")
        self.check_one_line(f"needs LibTorch {version}", "is torch 2.14.1+cpu", f"torch=={version}", LIBTORCH=str(other))
        told_version(version + "0")
        self.check_one_line(f"is torch {version}0", LIBTORCH=str(other))
        told_version(version, "'99.1'")
        told = self.upcast("run", "add(int32[3], 5.5)", expected=2, LIBTORCH=str(other))
        self.assertRegex(told, r"^upcast: \S+ is a build for CUDA 99 and needs libcudart.so.99.*pip install nvidia-cuda-runtime==99\.\*.*\n$")
        # A LibTorch whose version ends with +cpu counts as the same version.
        told_version(version + "+cpu")
        self.assertIn("agree", self.upcast("run", "add(int32[3], 5.5)", LIBTORCH=str(other)))

    def test_a_process_of_the_user_has_the_users_library_path(self):
        shows = "sh -c 'echo LD=[$LD_LIBRARY_PATH] >&2; exit 1'"
        for given, seen in (({}, "LD=[]"), ({"LD_LIBRARY_PATH": "/mine"}, "LD=[/mine]")):
            told = self.upcast("run", "neg(int8[1])", "--subject", f"process:{shows}", expected=2, **given)
            self.assertIn(seen, told)


class Wheel(Installed, unittest.TestCase):
    @classmethod
    def install(cls):
        wheel = made("wheel.sh", cls.folder / "wheel")
        venv = cls.folder / "venv"
        call([sys.executable, "-m", "venv", "--without-pip", venv])
        call([sys.executable, "-m", "pip", "--python", venv / "bin/python", "install", "--no-index", "--no-deps", wheel])
        cls.bin = venv / "bin"
        cls.package = pathlib.Path(call([cls.bin / "python", "-m", "upcast_conformance"], cwd="/").strip())
        cls.site = cls.package.parent

    @classmethod
    def with_torch(cls):
        link_torch(cls.site)

    @classmethod
    def without_torch(cls):
        for name in ("torch", "nvidia"):
            shutil.rmtree(cls.site / name)

    def test_the_torch_next_to_the_wheel_has_to_match(self):
        version = self.site / "torch/version.py"
        if not version.exists():
            self.skipTest("this LibTorch is no wheel of torch: it has no version.py")
        self.addCleanup(version.write_text, version.read_text())
        version.write_text("__version__ = '2.14.0'\n")
        self.check_one_line("is torch 2.14.0")
        self.check_what_needs_no_libtorch()


class Archive(Installed, unittest.TestCase):
    @classmethod
    def install(cls):
        archive = made("package.sh", cls.folder / "archive")
        (cls.folder / "opt").mkdir()
        call(["cmake", "-E", "tar", "xf", archive], cwd=cls.folder / "opt")
        unpacked = next((cls.folder / "opt").iterdir())
        assert archive.name == unpacked.name + ".tar.zst", archive
        cls.package = unpacked.rename(cls.folder / "opt/upcast")
        cls.bin = cls.package / "bin"

    @classmethod
    def with_torch(cls):
        cls.environment["LIBTORCH"] = str(cls.elsewhere)

    @classmethod
    def without_torch(cls):
        del cls.environment["LIBTORCH"]

    def test_the_line_says_how_the_archive_learns_of_a_torch(self):
        self.without_torch()
        self.addCleanup(self.with_torch)
        self.check_one_line("export LIBTORCH=")


unittest.main(argv=["package_test", KIND.capitalize()] + sys.argv[4:])
