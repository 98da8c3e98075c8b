"""Weights of the estimates of hands, by what is estimated (see `hands`): made and schneider."""

import numpy as np

# jacks C S H D, both black, three; always, a trump, beyond six, short of five; trump A, T, both, K; side suits; rest
_SUIT = [1.6, 1.1, 0.7, 0.6, 0.0, 0.0, -8.0, 0.8, 0.2, -0.5, 0.6, 0.4, 0.0, 0.1,
         1.2, 0.6, 0.3, -0.2, 0.2, 0.1, 0.0, 0.5, -0.2, -0.25, -0.1, 0.03, 0.2]  # fmt: skip
_GRAND = [1.8, 1.4, 1.0, 0.8, 0.0, 0.0, 1.5, 0.7, 0.3, -0.2, 0.3, 0.1, 0.0, 0.3, -0.2, -0.3, 0.0, 0.3, 0.3, 0.2,
          -6.5, 0.03, 0.8]  # fmt: skip
_NULL = [0.3, -1.0, -0.5, -1.0, -1.2, -1.0, -0.8, -0.6, -0.4, -0.4, 0.0, 2.5, -0.2]

# The constants differ: the skat betters a hand, and schneider is rarer
SUITS = np.array([[_SUIT] * 2] * 3)
GRANDS = np.array([[_GRAND] * 2] * 3)
NULLS = np.array([[_NULL] * 2] * 3)
SUITS[0, :, 6] += 1.5
GRANDS[0, :, 20] += 1.2
NULLS[0, :, 11] += 1.0
SUITS[2, :, 6] += 0.3
GRANDS[2, :, 20] += 0.3
SUITS[:, 1, 6] -= 3.5
GRANDS[:, 1, 20] -= 3.5
