"""Sampled worlds spread the hidden cards as they should be: every way of dealing them is as likely as any other."""

import numba
import numpy as np
import pytest
from scipy import stats

from simcards.games.registry import load, ruleset
from simcards.kernel import protocol
from simcards.kernel.rng import STREAM
from simcards.study.plan import make_plan
from simcards.study.replay import replay

WORLDS = 20_000


@numba.njit
def sample(views, rng, states, hands, tops):
    for k in range(hands.shape[0]):
        protocol.determinize(views[0], rng[0], states[0])
        hands[k, :] = states[0].private[1 - views[0].seat].hand
        tops[k] = states[0].deck[states[0].next] if states[0].next < states[0].deck.shape[0] else 255


@numba.njit
def see(states, seat, views):
    protocol.observe(states[0], seat, views[0])


def unseen_by(view, copies):
    """Count for each type the cards that the player cannot locate, from what a person would look at."""
    counts = np.full(32, copies)
    counts -= view["common"]["seen"]
    counts -= view["own"]["hand"]
    for public in view["public"]:
        for slot in public["table"][: public["laid"]]:
            counts[slot["type"]] -= 1
    counts -= view["public"][1]["shown"]
    if view["common"]["stock"] > 0 and view["common"]["turn_up"] >= 0:
        counts[view["common"]["turn_up"]] -= 1
    return counts


@pytest.mark.parametrize("game_id", ["bezique", "rubicon-bezique"])
@pytest.mark.parametrize("part", [0.1, 0.5, 0.7])
def test_hidden_cards_are_spread_evenly(game_id, part):
    game = load(game_id)
    trace = replay(make_plan(game_id, deals=1, strategies="basic", seed=11), 4)
    place = int(len(trace.steps) * part)
    seat = ruleset(game_id).seats.index(trace.steps[place].seat)
    states, views = game.workspace({})
    view = views[seat : seat + 1]
    see(trace.states[place : place + 1], seat, view)
    hands, tops = np.zeros((WORLDS, 32), np.int64), np.zeros(WORLDS, np.uint8)
    rng = np.array([(5, 6, 7, 8)], "u8").view(STREAM).reshape(-1)
    sample(view, rng, states, hands, tops)

    shown = view[0]["public"][1]["shown"].astype(int)
    unseen = unseen_by(view[0], ruleset(game_id).pack.copies)
    size, drawn = unseen.sum(), int(view[0]["public"][1]["cards"]) - shown.sum()
    assert size > drawn > 0
    hidden = hands - shown
    assert (hidden >= 0).all()
    assert (hidden <= unseen).all()
    assert (hidden.sum(axis=1) == drawn).all()

    # mean and variance of every type are those of a hypergeometric distribution, the total covariance included
    kinds = unseen > 0
    law = stats.hypergeom(size, unseen[kinds], drawn)
    errors = law.std() / np.sqrt(WORLDS)
    z = (hidden[:, kinds].mean(axis=0) - law.mean())[errors > 0] / errors[errors > 0]
    assert np.abs(z).max() < 4.5
    assert stats.chi2.sf((z**2).sum() * (1 - 1 / size), len(z) - 1) > 1e-4
    most = int(np.argmax(unseen))
    observed = np.bincount(hidden[:, most], minlength=drawn + 1)
    expected = WORLDS * stats.hypergeom(size, unseen[most], drawn).pmf(np.arange(drawn + 1))
    kept = expected > 5
    assert (
        stats.chisquare(
            np.append(observed[kept], observed[~kept].sum() + 1e-9),
            np.append(expected[kept], expected[~kept].sum() + 1e-9),
        ).pvalue
        > 1e-4
    )
    # the next card of the stock is any of the unseen ones
    counts = np.bincount(tops, minlength=256)[:32]
    share = WORLDS * unseen / size
    assert stats.chisquare(counts[kinds], share[kinds]).pvalue > 1e-4
