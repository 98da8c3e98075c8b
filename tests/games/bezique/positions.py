"""What the tests of positions in words share: every decision of a few deals, and how two views are compared."""

from __future__ import annotations

from functools import cache

import numpy as np

import simcards
from simcards.kernel import search
from simcards.study.advise import read_position
from simcards.study.replay import replay


@cache
def decisions(name, strategy, fixed, seed, rules, unit, deals):
    """Every decision of a few deals: the plan, and for each the step of the replay and what its player knows."""
    plan = simcards.game(name).plan(strategy, 1, seed, dict(rules), unit, dict(fixed))
    game = plan.load()
    found = []
    for deal in range(deals):
        played = replay(plan, deal)
        for step, state in zip(played.steps, played.states):
            _, views = game.workspace(plan.overrides)
            search.look(np.array([state], game.state), plan.ruleset.seats.index(step.seat), views)
            found.append((step, views[:1].copy()))
    return plan, found


def meaning(view: np.ndarray) -> np.ndarray:
    """The view without what is left of earlier positions in places that are not in use."""
    view = view.copy()
    for side in range(view["public"].shape[1]):
        view["public"]["table"][0, side, int(view["public"]["laid"][0, side]) :] = 0
    count = int(view["choice"]["count"][0])
    view["choice"]["type"][0, count:] = 0
    view["choice"]["place"][0, count:] = 0
    if "then" in view.dtype.names and int(view["common"]["stage"][0]) != 1:
        view["then"] = 0  # how it goes on after a question, and there is none
    return view


def differences(one, other, where=""):
    """The fields in which two records differ."""
    if one.dtype.names is None:
        return [] if np.array_equal(one, other) else [(where, one.tolist(), other.tolist())]
    return [found for name in one.dtype.names for found in differences(one[name], other[name], f"{where}.{name}")]


def check_there_and_back(plan, found) -> None:
    """Each position written and read is the same view, with the same player and the same legal actions."""
    positions = plan.load().positions
    for step, view in found:
        written = positions.write(view[0])
        text = "; ".join(f"{key}: {value}" for key, value in written.items())
        question = read_position(plan, text)
        assert not differences(meaning(view), meaning(question.view)), text
        assert question.complete is None
        assert question.assumed == ()
        assert (question.seat, question.phase) == (step.seat, step.phase), text
        assert question.words == step.legal, text
        assert positions.write(question.view[0]) == written


def check_changed_texts(plan, found, count=1500, seed=11) -> None:
    """Nothing else than an error of usage comes, in one line, whatever is left out, doubled or exchanged."""
    rng = np.random.default_rng(seed)
    keys = plan.load().positions.keys
    texts = [plan.load().positions.write(view[0]) for _, view in found]
    read = refused = 0
    for _ in range(count):
        written = dict(texts[rng.integers(len(texts))])
        other = texts[rng.integers(len(texts))]
        for _ in range(rng.integers(1, 3)):
            key = keys[rng.integers(len(keys))]
            if rng.random() < 0.4 or key not in other:
                written.pop(key, None)
            else:
                written[key] = other[key]
        try:
            question = read_position(plan, "\n".join(f"{key}: {text}" for key, text in written.items()))
            question.views(1, 0, 3)
            read += 1
        except simcards.UsageError as error:
            refused += "\n" not in str(error)
    assert read + refused == count
    assert min(read, refused) > count // 15
