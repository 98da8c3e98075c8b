"""What every game must keep to, whatever its rules."""

import functools

import numpy as np
import pytest

from simcards.games.game import check_game
from simcards.games.registry import load, ruleset
from simcards.kernel.drive import FINISHED
from simcards.kernel.drive import replay as carry_out
from simcards.kernel.protocol import DEALER, MISSING, OPTIONS
from simcards.kernel.rng import STREAM
from simcards.study.engine import run
from simcards.study.plan import make_plan
from simcards.study.replay import replay
from simcards.study.samples import samples
from tests.contract import compiled

DEALS = range(6)
SEARCHES = ("mc", "solver")


def thin(strategy, deals):
    """Return a strategy and a number of deals for it: a search plays few, in few worlds."""
    return (f"{strategy}:worlds=2", max(2, deals // 100)) if strategy in SEARCHES else (strategy, deals)


def of_interest(game_id, unit):
    """Return the strategies to look at: a search sees nothing in many deals that it has not seen in one."""
    known = ruleset(game_id)
    return [name for name in known.strategies if name not in SEARCHES or unit == next(iter(known.units))]


def few(game_id, unit):
    """Return rules that make long units short: two or three deals are enough to see what comes between them.

    A game that ends when pools are full would go on for long with players who win little.
    """
    if unit == "game" and any(rule.name == "pool" for rule in ruleset(game_id).rules):
        forced = any(rule.name == "forced_circles" and rule.default for rule in ruleset(game_id).rules)
        return {"most_deals": 4, "forced_circles": 1} if forced else {"most_deals": 4}
    return {"session": {"games": 2}, "list": {"deals": 3}}.get(unit, {})


@functools.cache
def traced(game_id, unit, strategy, deal):
    return replay(make_plan(game_id, deals=1, unit=unit, strategies=strategy, rules=few(game_id, unit), seed=7), deal)


def traces(game_id, unit, deals=DEALS):
    for strategy in of_interest(game_id, unit):
        for deal in deals[:2] if strategy in SEARCHES else deals:
            yield traced(game_id, unit, thin(strategy, 1)[0], deal)


def named_fields_equal(one, other):
    """Compare records field by field: the gaps between fields hold anything."""
    if one.dtype.names is None:
        return np.array_equal(one, other)
    return all(named_fields_equal(one[name], other[name]) for name in one.dtype.names)


def test_parts_fit_together(game_id):
    check_game(load(game_id))


def test_phases_and_fields_of_the_view_are_documented(game_id):
    game = load(game_id)
    assert list(game.actions) == list(game.phases)
    assert all(game.actions.values())
    paths = [field.path for field in game.view_fields]
    assert [field.path for field in game.view_fields if not field.doc] == []
    assert set(game.view_doc) == set(paths), "a text for a field that is not there"


def test_cards_are_conserved_at_every_step(game_id, unit):
    counts = ruleset(game_id).pack.counts()
    for trace in traces(game_id, unit):
        found = np.zeros((len(trace.states), len(counts)), np.int64)
        compiled.census(trace.states, found)
        actors = np.zeros(len(trace.states), np.int64)
        compiled.seats(trace.states, actors)
        for place in np.flatnonzero(actors != DEALER):
            assert np.array_equal(found[place], counts), f"{trace.plan.strategies} deal {trace.deal}, position {place}"


def test_every_legal_action_applies_and_the_game_still_ends(game_id, unit):
    game = load(game_id)
    policies = (game.strategies["random"].policies,) * game.ruleset.players
    counts = game.ruleset.pack.counts()
    for trace in traces(game_id, unit, range(2)):
        _, views = game.workspace(trace.plan.overrides)
        actors = np.zeros(len(trace.states), np.int64)
        compiled.seats(trace.states, actors)
        masks = np.zeros(len(trace.states), np.uint64)
        compiled.masks(trace.states, masks)
        for place in np.flatnonzero(actors >= 0)[::7]:
            actions = [action for action in range(64) if int(masks[place]) >> action & 1]
            assert actions, "a decision must offer something"
            for action in actions:
                state = trace.states[place : place + 1].copy()
                compiled.apply(state, action)
                actor = np.zeros(1, np.int64)
                compiled.seats(state, actor)
                if actor[0] != DEALER:
                    found = np.zeros((1, len(counts)), np.int64)
                    compiled.census(state, found)
                    assert np.array_equal(found[0], counts)
                assert compiled.play_on(game, state, views, policies, int(place)) == FINISHED


def test_recorded_actions_give_the_same_row_and_no_other_action_is_taken(game_id, unit):
    game = load(game_id)
    for trace in traces(game_id, unit):
        states, _ = game.workspace(trace.plan.overrides)
        rows = np.zeros(1, game.row)
        assert carry_out(states, trace.decks, trace.actions, rows) == len(trace.actions)
        values = rows.view(np.int32).reshape(-1)
        expected = [MISSING if value is None else value for value in trace.row.values()]
        assert values.tolist() == expected
        # the first decision, which stands behind the -1 of the deal
        decision = int(np.argmax(trace.actions >= 0))
        legal = np.zeros(1, np.uint64)
        compiled.masks(trace.states[:1], legal)
        wrong = trace.actions.copy()
        wrong[decision] = next(action for action in range(64) if not int(legal[0]) >> action & 1)
        assert carry_out(states, trace.decks, wrong, rows) == decision


def test_quantities_are_the_sums_of_their_parts(game_id, unit):
    game = load(game_id)
    for name in of_interest(game_id, unit):
        strategy, deals = thin(name, 500)
        frame = samples(
            make_plan(game_id, deals=deals, unit=unit, strategies=strategy, rules=few(game_id, unit), seed=3)
        )
        for column in game.columns:
            if column.quantity.parts:
                suffix = "" if column.seat is None else f".{column.seat}"
                parts = sum(frame[f"{part}{suffix}"] for part in column.quantity.parts)
                assert (frame[column.name] == parts).all(), column.name


def test_a_view_hides_what_it_must_and_a_sampled_world_agrees_with_it(game_id, unit):
    """Another distribution of the unseen cards leaves the view, and so every decision, as it is."""
    game = load(game_id)
    counts = game.ruleset.pack.counts()
    rng = np.array([11, 12, 13, 14], np.uint64)
    moved = 0
    for trace in traces(game_id, unit, range(3)):
        worlds, views = game.workspace(trace.plan.overrides)
        actors = np.zeros(len(trace.states), np.int64)
        compiled.seats(trace.states, actors)
        for place in np.flatnonzero(actors >= 0)[::3]:
            actual = trace.states[place : place + 1]
            seat = int(actors[place])
            view = views[seat : seat + 1].copy()
            compiled.observe(actual, seat, view)
            compiled.determinize(view, rng, worlds)
            again = views[seat : seat + 1].copy()
            compiled.observe(worlds, seat, again)
            assert named_fields_equal(view[0], again[0]), f"deal {trace.deal}, position {place}"
            found = np.zeros((1, len(counts)), np.int64)
            compiled.census(worlds, found)
            assert np.array_equal(found[0], counts)
            answers = np.zeros((2, 2), np.int64)
            for row, state in enumerate((actual, worlds)):
                mask = np.zeros(1, np.uint64)
                compiled.masks(state, mask)
                answers[row] = mask[0].view(np.int64), _actor(state)
            assert np.array_equal(answers[0], answers[1]), "who acts and what is legal must follow from the view"
            moved += not named_fields_equal(actual[0], worlds[0])
    assert moved > 0, "no card was ever hidden"


def _actor(state):
    actor = np.zeros(1, np.int64)
    compiled.seats(state, actor)
    return int(actor[0])


def test_worlds_play_on_to_the_end(game_id, unit):
    game = load(game_id)
    policies = (game.strategies["basic" if "basic" in game.strategies else "random"].policies,) * game.ruleset.players
    rng = np.array([21, 22, 23, 24], np.uint64)
    for trace in traces(game_id, unit, range(2)):
        worlds, views = game.workspace(trace.plan.overrides)
        actors = np.zeros(len(trace.states), np.int64)
        compiled.seats(trace.states, actors)
        for place in np.flatnonzero(actors >= 0)[::5]:
            view = views[actors[place] : actors[place] + 1].copy()
            compiled.observe(trace.states[place : place + 1], int(actors[place]), view)
            compiled.determinize(view, rng, worlds)
            assert compiled.play_on(game, worlds, views, policies, int(place)) == FINISHED


def test_basic_plays_from_a_position_as_it_does_from_the_view(game_id, unit):
    """A search may let players look at the position itself; they must do what they do by their views.

    The options they are handed are those of the search, and must mean nothing to them.
    """
    if "mc" not in ruleset(game_id).strategies:
        pytest.skip("has no search")
    options = np.zeros(2, OPTIONS)
    options["value"][1] = 9.0
    for trace in traces(game_id, unit):
        _, views = load(game_id).workspace(trace.plan.overrides)
        actors = np.zeros(len(trace.states), np.int64)
        compiled.seats(trace.states, actors)
        states = trace.states[actors >= 0]
        streams = np.zeros(2, STREAM)
        streams["words"] = (31, 32, 33, 34)
        actions = np.zeros((len(states), 2), np.int64)
        compiled.both_ways(states, views, streams, options, actions)
        assert np.array_equal(actions[:, 0], actions[:, 1])


def test_results_do_not_depend_on_workers_or_chunks(game_id, unit):
    plan = make_plan(game_id, deals=700, unit=unit, strategies="random", seed=5)
    first = run(plan, workers=1, chunk=700)
    for workers, chunk in ((2, 64), (7, 13)):
        assert run(plan, workers=workers, chunk=chunk).tally == first.tally


def test_a_seed_is_a_study_of_its_own(game_id, unit):
    one, other = (samples(make_plan(game_id, deals=50, unit=unit, strategies="random", seed=seed)) for seed in (1, 2))
    assert not one.equals(other)


def test_given_cards_are_dealt_where_they_were_given(game_id):
    game = load(game_id)
    deck = game.ruleset.pack.deck()
    places = game.places(game.encoded({}))
    for place, members in places.items():
        cards = [game.ruleset.pack.text(int(code)) for code in deck[: min(3, len(members))]]
        plan = make_plan(game_id, deals=1, strategies="random", cards={place: " ".join(cards)})
        for deal in range(3):
            dealt = replay(plan, deal).dealt[0].cards[place]
            missing = list(dealt)
            for card in cards:
                missing.remove(card)
            assert len(missing) == len(members) - len(cards)


def test_places_make_up_the_pack(game_id):
    game = load(game_id)
    places = [place for members in game.places(game.encoded({})).values() for place in members]
    assert sorted(places) == list(range(game.ruleset.pack.size))


@pytest.mark.slow
def test_many_games_end(game_id, unit):
    for name in of_interest(game_id, unit):
        strategy, deals = thin(name, 20_000)
        run(make_plan(game_id, deals=deals, unit=unit, strategies=strategy, rules=few(game_id, unit), seed=9))
