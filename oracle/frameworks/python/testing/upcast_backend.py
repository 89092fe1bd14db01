"""What a user imports of a backend outside of PyTorch: it makes the device "upcast" known. UPCAST_DEVICE_LIBRARY is
libupcast_device.so, UPCAST_DEVICE_FOLDER the folder of upcast_device.py."""

import os
import sys

sys.path.insert(0, os.environ["UPCAST_DEVICE_FOLDER"])
import upcast_device  # noqa: E402

upcast_device.load(os.environ["UPCAST_DEVICE_LIBRARY"])
