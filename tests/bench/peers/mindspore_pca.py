"""Prints how many seconds MindSpore's SummaryLandscape takes for the directions of checkpoints that are in memory
already: mindspore_pca.py CHECKPOINTS PARAMETERS. Run with a Python that has MindSpore."""

import sys
import time

import numpy as np
from mindspore.train.callback._landscape import _PCA


def main() -> None:
    checkpoints, parameters = (int(argument) for argument in sys.argv[1:])
    random = np.random.default_rng(1)
    saved = [random.standard_normal(parameters, np.float32) for _ in range(checkpoints)]
    begin = time.perf_counter()
    # As it does itself: it concatenates the tensors to a list, which makes them float64.
    matrix = np.vstack([np.concatenate(([], values), axis=None) for values in saved])
    _PCA(n_comps=2).compute((matrix[:-1] - matrix[-1]).T)
    print(time.perf_counter() - begin)


if __name__ == "__main__":
    main()
