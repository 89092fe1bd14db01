"""Finds the devices on which PyTorch's own device tests would run. It reads the variables TORCH_TEST_DEVICES (files with a TEST_CLASS, between
colons), PYTORCH_TESTING_DEVICE_ONLY_FOR and PYTORCH_TESTING_DEVICE_EXCEPT_FOR (names, between commas)."""

import os
import re
import subprocess
import sys

import pytest

BASES = "torch.testing._internal.common_device_type"  # importing this module of PyTorch runs the files in TORCH_TEST_DEVICES
ASK = f"""
import torch
from {BASES} import get_desired_device_type_test_bases
for base in get_desired_device_type_test_bases():
    name = base.device_type
    print("device:", torch._C._get_privateuse1_backend_name() if name == "privateuse1" else name)
"""
BUILT_IN = ("cpu", "cuda", "mps", "xpu", "hpu", "mtia", "meta", "xla", "lazy", "ipu", "vulkan", "maia")


def device_of(subject):
    """The device type of a subject: cuda for cuda:1, and cpu for a subject without a device."""
    found = re.search(r"[?&]device=([^&:]*)", subject)
    return found.group(1) if found else "cpu"


def names(variable):
    return [each for each in os.environ.get(variable, "").split(",") if each]


def is_desired(device):
    """Whether PyTorch's device tests would test the device. A backend that PyTorch does not know also has the name privateuse1."""
    words = {device} if device in BUILT_IN else {device, "privateuse1"}
    only, without = names("PYTORCH_TESTING_DEVICE_ONLY_FOR"), names("PYTORCH_TESTING_DEVICE_EXCEPT_FOR")
    return not words & set(without) and (not only or bool(words & set(only)))


def subjects(given):
    """The subjects to test: `given`, if the variables do not exclude its device. Without `given`, one for each device that PyTorch finds."""
    if given:
        return [given] if is_desired(device_of(given)) else []
    ended = subprocess.run([sys.executable, "-c", ASK], capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        last = (ended.stderr.strip().splitlines() or ["no word"])[-1]
        raise pytest.UsageError(f"--upcast-subject is not given, and {sys.executable} cannot say which devices PyTorch tests: {last}")
    devices = re.findall(r"^device: (\S+)$", ended.stdout, re.M)
    imports = f"&import={BASES}" if os.environ.get("TORCH_TEST_DEVICES") else ""
    return [f"python:torch?python={sys.executable}{imports}&device={device}" for device in dict.fromkeys(devices)]
