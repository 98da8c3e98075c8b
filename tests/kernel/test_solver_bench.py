"""The measurement of the solver: what is solved, not how fast."""

import numpy as np

from simcards import solver_bench


def test_rows():
    rows = solver_bench.measure(positions=3, rounds=1)
    assert len(rows) == 3
    for row in rows:
        assert row["rate"] > 0
        assert 0 < row["median"] < 10


def test_hands_share_no_card_and_all_trumps_come():
    made = solver_bench._positions(3, 10, 10)
    for position in made:
        hands = [int(hand) for hand in position["hands"]["hands"]]
        assert [hand.bit_count() for hand in hands] == [10, 10, 10, 0]
        assert hands[0] | hands[1] | hands[2] == sum(hands)
    assert np.unique(made["trump"]).tolist() == [-1, 0, 1, 2, 3]
