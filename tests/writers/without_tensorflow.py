"""Importing this hides TensorFlow from TensorBoard's package, by its own marker for a machine without it: most people with
PyTorch have none, and TensorBoard's reader starts sooner."""

import sys
from types import ModuleType

sys.modules["tensorboard.compat.notf"] = ModuleType("tensorboard.compat.notf")
