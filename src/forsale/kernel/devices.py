"""Whether there is a GPU that can be used."""

import warnings
from typing import Any

import numpy as np

from forsale.kernel.errors import KernelError


def import_cuda() -> Any:
    """numba's CUDA. Its releases are a little behind numpy's, of which a user need not hear."""
    if not hasattr(np, "row_stack"):
        np.row_stack = np.vstack  # numba-cuda 0.30 asks for the old name
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        from numba import cuda
    return cuda


def need_gpu() -> None:
    """`KernelError` where there is none, or where what it takes is not installed."""
    try:
        found = import_cuda().is_available()
    except Exception as error:  # whatever a half-installed driver throws
        raise KernelError(f"device: cuda cannot be used here: {error}") from None
    if not found:
        raise KernelError("device: cuda cannot be used here: it takes an NVIDIA GPU and the package numba-cuda")
