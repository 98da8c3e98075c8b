"""A mean of a study, corrected by columns of known mean."""

from __future__ import annotations

import math

import numpy as np
import pytest

from simcards.errors import UsageError
from simcards.study.controls import play_controlled
from simcards.study.engine import run
from simcards.study.plan import make_plan
from simcards.study.samples import samples

from .conftest import Interrupt


def plan_of(deals=1500, seed=3):
    return make_plan("toy-whist", deals=deals, strategies="random", seed=seed)


def test_it_is_the_regression_on_the_rows():
    # All thirteen tricks fall to someone, and by symmetry the sides expect the same but for the lead
    plan = plan_of()
    known = {"points.north": 3.25, "long.south": 0.2}
    made = play_controlled(plan, "points.south", known, workers=2, chunk=130)
    frame = samples(plan).astype(float)
    design = np.column_stack([np.ones(1500), frame["points.north"] - 3.25, frame["long.south"] - 0.2])
    found, rest, *_ = np.linalg.lstsq(design, frame["points.south"], rcond=None)
    assert made.estimate.estimate == pytest.approx(found[0])
    assert made.coefficients == pytest.approx(found[1:])
    error = math.sqrt(rest[0] / 1497 * np.linalg.inv(design.T @ design)[0, 0])
    assert made.estimate.se == pytest.approx(error)
    assert made.estimate.quantity == "points.south"
    sums = run(plan).tally.column("points.south")
    assert made.plain.estimate == sums.total / sums.n
    assert made.reduction > 1.3


def test_what_adds_up_to_a_constant_is_known_exactly():
    # 13 tricks less those of the others
    others = {f"points.{seat}": 3.0 for seat in ("north", "east", "south")}
    made = play_controlled(plan_of(), "points.west", others)
    assert made.estimate.estimate == pytest.approx(4.0)
    assert made.estimate.se == pytest.approx(0.0, abs=1e-6)


def test_a_checkpoint_is_gone_on_with(tmp_path):
    file = tmp_path / "run.json"
    options = {"target": "points.south", "known": {"points.north": 3.25}}
    whole = play_controlled(plan_of(), **options)
    play_controlled(plan_of(), **options, checkpoint=file, chunk=100, progress=Interrupt(300))
    assert play_controlled(plan_of(), **options, checkpoint=file, resume=True) == whole
    with pytest.raises(UsageError, match="controls is"):
        play_controlled(plan_of(), "points.south", {"points.east": 3.25}, checkpoint=file, resume=True)


@pytest.mark.parametrize(
    ("target", "known", "message"),
    [
        ("point.north", {}, "did you mean 'points.north'?"),
        ("points.north", {"points.north": 3}, "of known mean in toy-whist"),
        ("points.north", {"long.eas": 3}, "did you mean 'long.east'?"),
        ("points.north", {"points.east": "3"}, "must be a number, such as 0, not '3'"),
        ("points.north", {"points.east": math.nan}, "must be a number, such as 0, not nan"),
        ("points.north", {"first.east": 3}, "first.east has no value in some deals"),
    ],
)
def test_what_cannot_be(target, known, message):
    with pytest.raises(UsageError) as caught:
        play_controlled(plan_of(deals=200), target, known)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
