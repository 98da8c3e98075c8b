"""The chouette: its games are those of the game it is made from, and its bankroll is recomputed in plain Python."""

import numba
import numpy as np
import pytest

from simcards.errors import UsageError
from simcards.games import bezique as family
from simcards.games.chouette import ROW, SERIES, book, chouette, clear
from simcards.games.chouette_rules import RULES, chouette_rules
from simcards.games.registry import load, ruleset
from simcards.kernel.drive import FINISHED, play
from simcards.kernel.protocol import MISSING, OPTIONS
from simcards.report.page import write_report
from simcards.study.advise import replayed_position
from simcards.study.plan import make_plan
from simcards.study.replay import replay
from simcards.study.samples import samples
from tests.games.bezique.compare import apply_of, begin_of, deal_of, is_over_of, measure_of

DEFAULTS = {rule.name: rule.default for rule in RULES}
VARIATIONS = [
    {},
    {"opponents": 1, "games": 7},
    {"opponents": 2, "partner": "yes", "games": 4},
    {"stakes": "opponent", "choice": "opponent", "games": 13},
    {"choice": "once", "opponents": 6, "partner": "yes"},
]


class Session:
    """A session in plain Python, from what each game was worth to whoever sat in the first seat of it."""

    def __init__(self, rules):
        self.rules = DEFAULTS | rules
        self.line = list(range(self.rules["opponents"]))  # the first of it is at the cards
        self.path, self.falls, self.rises, self.wins = [0], [], [], [0, 0]
        self.earned = [0] * len(self.line)
        self.faced = [0] * len(self.line)
        self.seats, self.turns, self.asked = [], [], True

    @property
    def over(self):
        return len(self.seats) == self.rules["games"]

    def game(self, value, chosen):
        """Enter a game; `chosen` is the seat he chose, None where he was not asked."""
        assert (chosen is not None) == self.asked
        seat = chosen if self.asked else 1 - self.seats[-1]
        self.seats.append(seat)
        own = value if seat == 0 else -value
        at_the_cards = self.line[0]
        staking = self.line if self.rules["stakes"] == "line" else [at_the_cards]
        for place in staking:
            self.earned[place] -= own
        self.path.append(self.path[-1] + own * len(staking))
        self.faced[at_the_cards] += 1
        if self.turns and self.turns[-1][0] == "goes on":
            self.turns[-1] = ("goes on", self.turns[-1][1] + 1)
        else:
            self.turns.append(("goes on", 1))
        if own:
            self.wins[own < 0] += 1
        leaves = own > 0 or (own == 0 and self.rules["tied"] == "leaves")
        if leaves:
            self.turns[-1] = ("left", self.turns[-1][1])
            self.line.append(self.line.pop(0))
        self.asked = self.rules["choice"] == "game" or (self.rules["choice"] == "opponent" and leaves)

    def row(self):
        games, path = self.rules["games"], self.path
        falls = [
            [sign * (path[i] - path[j]) for i in range(games + 1) for j in range(i, games + 1)] for sign in (1, -1)
        ]
        steps = np.diff(path)
        missing = [MISSING] * (6 - len(self.earned))
        row = {
            "value": [path[-1], -path[-1]],
            "won": [int(path[-1] > 0), int(path[-1] < 0)],
            "fall": [max(fall) for fall in falls],
            "lowest": [min(path), -max(path)],
            "best": [max(0, max(steps)), max(0, max(-steps))],
            "ahead": [sum(point > 0 for point in path), sum(point < 0 for point in path)],
            "games_won": self.wins,
            "led": [self.seats.count(0), self.seats.count(1)],
            "tied": games - sum(self.wins),
            "games": games,
            "stays": len(self.turns),
            "first_stay": self.turns[0][1],
            "longest_stay": max(length for _, length in self.turns),
        }
        row |= {f"after_{part}": path[-(-games * part // 10)] for part in range(1, 11)}
        row |= {f"earned_{place}": value for place, value in enumerate(self.earned + missing, 1)}
        row |= {f"faced_{place}": value for place, value in enumerate(self.faced + missing, 1)}
        return row


def flat(row):
    """A row as a replay gives it."""
    made = {}
    for name, value in row.items():
        if isinstance(value, list):
            made |= {f"{name}.chouette": value[0], f"{name}.line": value[1]}
        else:
            made[name] = None if value == MISSING else value
    return made


def check(session, row, deals):
    expected = flat(session.row())
    assert {name: (row[name], value) for name, value in expected.items() if row[name] != value} == {}
    others = set(row) - set(expected)
    assert others == {"each.chouette", "each.line", "deals"}
    assert row["deals"] == deals
    people = 2 if session.rules["partner"] == "yes" else 1
    assert abs(row["each.chouette"] - session.path[-1] / people) <= 0.5
    assert abs(row["each.line"] - sum(session.earned) / len(session.earned)) <= 0.5


@pytest.mark.parametrize("rules", VARIATIONS)
@pytest.mark.parametrize("strategies", [["random"], ["basic"], ["basic:seat=1", "random"]])
def test_games_are_those_of_rubicon_bezique(rules, strategies):
    """The recorded actions, game by game, on the same cards in rubicon bezique, without the chouette."""
    alone = load("rubicon-bezique")
    for deal in range(3):
        trace = replay(make_plan("chouette-bezique", deals=1, rules=rules, strategies=strategies, seed=3), deal)
        session = Session(rules)
        actions = iter(trace.actions.tolist())
        for deck in trace.decks:
            chosen = next(actions) if session.asked else None
            assert next(actions) == -1
            states, _ = alone.workspace({})
            begin_of(states)
            deal_of(states, deck)
            while not is_over_of(states):
                apply_of(states, next(actions))
            rows = np.zeros(1, alone.row)
            measure_of(states, rows)
            session.game(int(rows[0]["value"][0]), chosen)
        assert next(actions, None) is None
        assert session.over
        check(session, trace.row, len(trace.decks))


@pytest.mark.parametrize(("seat", "choice"), [(0, "game"), (1, "game"), (1, "once")])
def test_values_are_those_that_rubicon_bezique_gives_on_the_same_cards(seat, choice):
    """All cards of every deal given to `play rubicon-bezique`, which both seats play by basic."""
    rules = {"games": 6, "opponents": 2, "choice": choice}
    trace = replay(make_plan("chouette-bezique", deals=1, rules=rules, strategies=f"basic:seat={seat}", seed=11), 4)
    session = Session(rules)
    for dealt in trace.dealt:
        frame = samples(make_plan("rubicon-bezique", deals=1, cards=dealt.cards, seed=99))
        session.game(int(frame["value.pone"].iloc[0]), seat if session.asked else None)
    check(session, trace.row, 6)


def test_first_cards_are_those_of_the_same_deal_of_rubicon_bezique():
    for deal in (0, 5):
        whole = replay(make_plan("chouette-bezique", deals=1, strategies="random", seed=2), deal)
        single = replay(make_plan("rubicon-bezique", deals=1, strategies="random", seed=2), deal)
        assert whole.dealt[0].cards == single.dealt[0].cards
        assert len({deck.tobytes() for deck in whole.decks}) == 10


@numba.njit
def book_all(series, rules, values, seats, choices):
    for game in range(values.shape[0]):
        choices[game] = series[0].stage
        series[0].seat = seats[game] if series[0].stage == 0 else series[0].next_seat
        book(series[0], rules[0], values[game] if series[0].seat == 0 else -values[game])


@numba.njit
def clear_all(series):
    clear(series[0])


def test_bookkeeping_of_any_values():
    """Wins, losses and ties in any order, under all rules."""
    rng = np.random.default_rng(5)
    record = np.dtype([(rule.name, "i4") for rule in RULES], align=True)
    for _ in range(2_000):
        rules = {rule.name: str(rng.choice(rule.choices)) for rule in RULES if rule.choices}
        rules |= {"games": int(rng.integers(1, 31)), "opponents": int(rng.integers(1, 7))}
        encoded = np.zeros(1, record)
        for rule in RULES:
            encoded[rule.name] = rule.encode(rules[rule.name])
        values = rng.integers(-2, 3, rules["games"])
        seats = rng.integers(0, 2, rules["games"])
        series = np.zeros(1, SERIES)
        clear_all(series)
        choices = np.zeros(rules["games"], np.int64)
        book_all(series, encoded, values, seats, choices)
        session = Session(rules)
        for value, seat, choice in zip(values.tolist(), seats.tolist(), choices.tolist(), strict=True):
            session.game(value, seat if choice == 0 else None)
        one, row = series[0], session.row()
        assert int(one["bankroll"]) == row["value"][0]
        assert one["fall"].tolist() == row["fall"]
        assert [int(one["lowest"]), -int(one["highest"])] == row["lowest"]
        assert one["best"].tolist() == row["best"]
        assert one["ahead"].tolist() == row["ahead"]
        assert one["won"].tolist() == row["games_won"]
        assert one["led"].tolist() == row["led"]
        assert one["after"].tolist() == [row[f"after_{part}"] for part in range(1, 11)]
        assert one["earned"].tolist()[: rules["opponents"]] == session.earned
        assert one["faced"].tolist()[: rules["opponents"]] == session.faced
        assert int(one["stays"]) == row["stays"]
        assert int(one["first_stay"]) == row["first_stay"]
        assert int(one["longest_stay"]) == row["longest_stay"]


def test_line_stakes_are_shared_alike():
    frame = samples(make_plan("chouette-bezique", deals=300, strategies="random", seed=4, rules={"opponents": 4}))
    for place in range(1, 5):
        assert (4 * frame[f"earned_{place}"] == frame["value.line"]).all()
    assert (sum(frame[f"faced_{place}"] for place in range(1, 5)) == 10).all()
    assert (frame["faced_1"] >= frame["first_stay"]).all()
    rules = {"opponents": 4, "stakes": "opponent"}
    alone = samples(make_plan("chouette-bezique", deals=300, strategies="random", seed=4, rules=rules))
    assert (sum(alone[f"earned_{place}"] for place in range(1, 5)) == alone["value.line"]).all()
    assert (4 * alone["value.line"] == frame["value.line"]).all()


def test_rules_of_the_game_can_be_changed_in_the_chouette():
    plan = {"deals": 200, "strategies": "basic", "seed": 8}
    chouettes = samples(make_plan("chouette-bezique", rules={"games": 1, "opponents": 1, "rubicon_line": 1500}, **plan))
    games = samples(make_plan("rubicon-bezique", rules={"rubicon_line": 1500}, **plan))
    assert (chouettes["value.chouette"] == games["value.pone"]).all()


def test_six_packs():
    plan = {"deals": 100, "strategies": "basic", "seed": 8}
    chouettes = samples(make_plan("chouette-six-pack", rules={"games": 1, "opponents": 2}, **plan))
    games = samples(make_plan("bezique-six-pack", **plan))
    assert (chouettes["value.chouette"] == 2 * games["value.pone"]).all()


def test_a_seat_cannot_be_judged_before_the_cards_are_there():
    plan = make_plan("chouette-bezique", deals=1, seed=3, strategies="random")
    with pytest.raises(UsageError, match="shows only in cards that are dealt after it"):
        replayed_position(plan, 0, 1)


def test_only_games_for_two_with_a_settlement():
    with pytest.raises(ValueError, match="made from it"):
        chouette(load("rubicon-bezique"), ruleset("chouette-six-pack"))


@pytest.mark.parametrize("rules", [{"games": 0}, {"opponents": 7}, {"stakes": "none"}, {"packs": 6}])
def test_values_that_the_rules_cannot_have(rules):
    with pytest.raises(UsageError):
        make_plan("chouette-bezique", deals=1, rules=rules)


@pytest.mark.slow
def test_a_game_of_several_deals():
    """Any game for two can be played so: bezique to 700, where a game takes one deal or more."""
    made = chouette_rules(family.BEZIQUE, "chouette-of-bezique", "", "", source="")
    game = chouette(load("bezique"), made)
    states, views = game.workspace({"target": 700, "games": 5})
    basic = game.strategies["basic"]
    rows, fault = np.zeros(50, ROW), np.zeros(5, np.int64)
    pack = made.pack.deck()
    ending = play(
        np.uint64(1),
        0,
        50,
        states,
        views,
        (basic.policies, basic.policies),
        np.zeros((2, len(game.phases)), OPTIONS),
        pack,
        np.empty(0, np.int16),
        len(pack),
        game.limit,
        rows,
        fault,
    )
    assert ending == FINISHED
    assert (rows["games"] == 5).all()
    assert (rows["games_won"].sum(axis=1) + rows["tied"] == 5).all()
    assert (rows["deals"] > 5).all()


def test_a_page_says_nothing_of_opponents_who_are_not_there(tmp_path):
    made = write_report("chouette-bezique", tmp_path / "r", deals=2, match_deals=0, rules={"games": 2}, workers=1)
    text = made.markdown.read_text(encoding="utf-8")
    assert "What opponent 3 of the line has won" in text
    assert "opponent 4" not in text
