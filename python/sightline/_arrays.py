"""Tensors of frameworks as arrays of this machine's memory."""

from typing import Any


def on_cpu(value: Any) -> Any:
    """A tensor's numbers in this machine's memory, without its gradient; anything else as it is."""
    device = getattr(value, "device", None)
    if getattr(device, "type", "cpu") != "cpu":
        return value.detach().cpu()
    if getattr(value, "requires_grad", False) and hasattr(value, "detach"):
        return value.detach()  # PyTorch warns if float() gets a loss that has a gradient.
    return value


def array(value: Any) -> Any:
    """A NumPy array of a tensor, or of anything that NumPy takes."""
    import numpy as np

    value = on_cpu(value)
    if not hasattr(value, "detach"):
        return np.asarray(value)
    value = value.detach()
    try:
        return np.asarray(value)
    except TypeError:  # NumPy has no bfloat16.
        return np.asarray(value.float())
