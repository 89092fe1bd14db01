"""Chains of calls that are given to PyTorch's compilers whole: chain_sides_test.py UPCAST.

A campaign has to find each wrong fusion of broken_fusion.py and reduce it to two calls. It must not accuse the right
fusion. Exits with 77, and the reason, without the environment of torch.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from environments import python_of

UPCAST = sys.argv[1]
HERE = pathlib.Path(__file__).parent

PYTHON = python_of("torch")
# With the capability "default" compiled calls use ATen's scalar paths, as the oracle does.
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(HERE), "ATEN_CPU_CAPABILITY": "default"}
# Chains in which the second call reads what the first one wrote, or takes what the first one rounded. Alone, each call
# is right.
LOST_WRITE = "add_(int32[2]{1,2}, int32[2]{10,20}); [takes 1] mul(int32[2], int32[2]{3,4})"
LOST_CAST = "add(float16[2]{1000,2}, float16[2]{0.1,20}); [takes 1] sub(float16[2], float16[2]{1000,22})"
# A first input of a corpus: the chain replay makes this call, and makes it again on its own result.
ROUNDS_TWICE = "add(float16[2]{1000,2}, float16[2]{0.3,20})"


def fuzz(settings, *arguments):
    return subprocess.run([UPCAST, "fuzz", "--target", "chain", "--subject", f"python:torch?python={PYTHON}{settings}", *arguments],
                          capture_output=True, text=True, check=False, env=ENVIRONMENT)


def compiled(backend):
    return f"&via=compile&import=broken_fusion&backend={backend}"


class Chains(unittest.TestCase):
    def campaign(self, backend, runs, seed=None):
        """Runs a campaign and returns (exit code, counts, simplified findings). `seed`: a case line, the first input
        of its corpus."""
        with tempfile.TemporaryDirectory() as folder:
            if seed is not None:
                subprocess.run([pathlib.Path(UPCAST).with_name("fuzz-chain-replay"), f"-line={seed}", f"-write={folder}/corpus"], check=True)
            ended = fuzz(compiled(backend), "--runs", str(runs), "--seed", "7", "--corpus", f"{folder}/corpus", "--json", "-")
            self.assertTrue(ended.stdout.strip(), f"exit code {ended.returncode}: {ended.stderr}")
            counts = json.loads(ended.stdout)
            self.assertGreaterEqual(counts["cases"], runs)
            self.assertEqual(counts["corpus"], len(os.listdir(f"{folder}/corpus")))
            findings = [json.loads(path.read_text()) for path in pathlib.Path(folder, "corpus.log/findings").glob("*.json")]
        return ended.returncode, counts, findings

    def check_found(self, backend, is_its_fault, runs, seed=None):
        code, _, findings = self.campaign(backend, runs, seed)
        self.assertEqual(code, 1)
        own = [each["case"] for each in findings if each["verdict"] == "differ(value)" and each["case"].count("; ") == 1 and
               is_its_fault(each["case"])]
        self.assertTrue(own, findings)
        for side, code in ((backend, 1), ("right_fusion", 0)):
            again = fuzz(compiled(side), "--replay", own[0])
            self.assertEqual(again.returncode, code, again.stdout + again.stderr)

    def test_a_write_that_is_lost_is_found_and_comes_down_to_two_calls(self):
        self.check_found("lost_writes", lambda chain: "_" in chain.partition("(")[0], runs=72)

    def test_a_cast_that_is_lost_is_found_and_comes_down_to_two_calls(self):
        self.check_found("lost_casts", lambda chain: "float" in chain, runs=24, seed=ROUNDS_TWICE)

    def test_a_right_compiler_is_not_accused(self):
        code, counts, findings = self.campaign("right_fusion", 72)
        self.assertEqual((code, counts["findings"]), (0, 0), findings)
        self.assertLess(counts["not_judged"], counts["cases"] // 2)

    def test_each_wrong_fusion_is_wrong_in_the_chain_it_is_made_for(self):
        for chain, wrong in ((LOST_WRITE, "lost_writes"), (LOST_CAST, "lost_casts")):
            for backend, code in ((wrong, 1), ("right_fusion", 0)):
                with self.subTest(backend):
                    ended = fuzz(compiled(backend), "--replay", chain)
                    self.assertEqual(ended.returncode, code, ended.stdout + ended.stderr)

    def test_eager_answers_chains_and_what_cannot_be_asked_says_so(self):
        ended = fuzz("", "--replay", "add_(int32[2]{1,2}, int32[2]{10,20}); [takes 1] mul(int32[2], 2.5)")
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        self.assertIn("{27.5,55}", ended.stdout)
        for settings in ("", compiled("right_fusion")):  # a bool of Python's
            ended = fuzz(settings, "--replay", "equal(bool[1], bool[1]{True}); [takes 1] not_equal(bool[], True)")
            self.assertEqual(ended.returncode, 3, ended.stdout + ended.stderr)
            self.assertIn("not_judged", ended.stdout)
        ended = fuzz("&via=fake", "--replay", "neg(int32[2]); [takes 1] neg(int32[2])")
        self.assertEqual(ended.returncode, 2)
        self.assertIn("answers no chains", ended.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
