"""Bids: values against every way the unseen cards can lie, charts against plain Python, and what is refused."""

import itertools

import numpy as np
import pytest

import simcards
from simcards.errors import UsageError
from simcards.kernel import bidding
from simcards.odds.api import odds
from simcards.study import bids as study
from simcards.study.bids import Played, bids_of, mean_and_error, search_options, terms, usual_play
from simcards.study.chart import _Blocks, as_hearts, classified
from simcards.study.plan import make_plan
from simcards.study.replay import replay
from simcards.study.table import table

HAND = "KH QH AS TS AD 9D KC JC 9C 9S"
CONTRACTS = ("100", "120", "150")


def every_world(listen):
    """Return what contracts come to in all 6,006 ways the opponent's cards and the packets can lie, passing last."""
    plan = make_plan("thousand-two-auction", deals=1)
    game = plan.load()
    bids = bids_of(game)
    pack = plan.pack
    own = [pack.code(card) for card in HAND.split()]
    unseen = [code for code in range(pack.types) if code not in own]
    ready = table(plan)
    states, views = ready.workspace()
    states = np.repeat(states, 2)
    chosen = np.array([*study.chosen_contracts(bids, CONTRACTS), bidding.PASSING], np.int64)
    places = game.places(game.encoded(plan.overrides))
    parts = []
    for first in itertools.combinations(unseen, 2):
        rest = [code for code in unseen if code not in first]
        for second in itertools.combinations(rest, 2):
            theirs = [code for code in rest if code not in second]
            fixed = np.full(pack.size, -1, np.int16)
            for name, cards in {"forehand": own, "dealer": theirs, "packet 1": first, "packet 2": second}.items():
                fixed[places[name]] = cards
            values, rows, kept = np.empty((1, 4)), np.zeros((1, 4), game.row), np.empty((1, 4), np.bool_)
            bidding.dealt(
                np.uint64(1), 0, states, views, np.empty(0, np.uint8), fixed, ready.dealt, 0, chosen,
                terms(game, "basic", listen), usual_play(game), search_options(game), np.empty((1, 24), np.uint8),
                values, rows, kept,
            )  # fmt: skip
            parts.append(Played.of(bids, 0, values, rows, kept))
    return Played.joined(parts, 4)


@pytest.mark.parametrize("listen", [False, True])
def test_values_are_those_of_all_ways_the_cards_can_lie(listen):
    exact = every_world(listen)
    assert len(exact.values) == 6006
    result = simcards.game("thousand-two-auction").bids(
        hand=HAND, seat="forehand", contracts=CONTRACTS, worlds=4000, listen=listen, seed=3
    )
    for place, value in enumerate(result.values("basic")):
        column = exact.values[:, place]
        assert value.contract == (*CONTRACTS, "pass")[place]
        assert abs(value.mean - np.nanmean(column)) < 4.0 * max(value.se, 1e-9)
        gain = column - exact.values[:, -1]
        assert abs(value.gain - np.nanmean(gain)) <= 4.0 * max(value.gain_se, 1e-9)
        if value.contract != "pass":
            made = np.nanmean(exact.made[:, place])
            assert abs(value.made - made) <= 4.0 * max(value.made_se, 1e-9)
            share = np.mean(~np.isnan(column))
            assert abs(value.n / 4000 - share) <= 4.0 * np.sqrt(share * (1.0 - share) / 4000) + 1e-12
    assert result.recommended("basic") == (*CONTRACTS, "pass")[int(np.argmax(np.nanmean(exact.values, axis=0)))]


def test_workers_and_blocks_make_no_difference():
    game = simcards.game("deberts")
    one, two = (game.bids("turned: 8H", hand="JH 9H AS KD 8C 7C", worlds=100, workers=k) for k in (1, 2))
    assert one.records == two.records
    assert game.bid_chart(300, workers=1).records == game.bid_chart(300, workers=2).records


def test_open_cards_and_search_are_levels_of_play():
    game = simcards.game("deberts")
    result = game.bids(
        "turned: 8H", hand="JH 9H AS KD 8C 7C", levels=["open", "mc"], worlds=20, contracts=["turned suit", "clubs"]
    )
    assert list(result.played) == ["open", "mc"]
    assert {record["contract"] for record in result.records} == {"turned suit", "clubs", "pass"}
    text = str(result)
    assert "open cards" in text
    assert "searches by mc" in text


def test_the_turned_suit_has_one_name():
    result = simcards.game("deberts").bids("turned: 8H", hand="JH 9H AS KD 8C 7C", worlds=20)
    assert [value.contract for value in result.values("basic")] == [
        "turned suit",
        "spades",
        "diamonds",
        "clubs",
        "pass",
    ]


def test_hands_are_sorted_by_what_they_hold():
    plan = make_plan("deberts", deals=1)
    rng = np.random.default_rng(5)
    decks = np.array([rng.permutation(32) for _ in range(500)], np.uint8)
    hands, turned = decks[:, :6], decks[:, 6]
    renamed = as_hearts(plan, hands, turned)
    found = classified(plan, ("trumps", "trump jack", "side aces", "tierce or fifty"), renamed)
    ranks = plan.pack.ranks
    for hand, card, row in zip(hands, turned, found, strict=True):
        cards = [plan.pack.text(int(code)) for code in hand]
        trump = plan.pack.text(int(card))[1]
        runs = any(
            {f"{rank}{suit}" for rank in ranks[k : k + 3]} <= set(cards)
            for suit in "SHDC"
            for k in range(len(ranks) - 2)
        )
        expected = [
            sum(text[1] == trump for text in cards),
            f"J{trump}" in cards,
            sum(text[0] == "A" and text[1] != trump for text in cards),
            runs,
        ]
        assert row.tolist() == expected


def test_the_classes_of_a_chart_are_as_frequent_as_counted():
    chart = simcards.game("thousand-three").bid_chart(20_000, classes=["aces"], contracts=["100"])
    for line in chart.lines:
        (row,) = odds(f"n('A') == {line.key[0]}", game="thousand-three", deals=0).rows
        p = float(row.value)
        assert abs(line.hands / 20_000 - p) < 4.0 * np.sqrt(p * (1.0 - p) / 20_000)
    assert sum(line.hands for line in chart.lines) + chart.left_out == chart.deals == 20_000


def test_a_line_is_chosen_by_one_half_and_judged_by_the_other():
    plan = make_plan("deberts", deals=640, seed=1)
    chart = simcards.game("deberts").bid_chart(640, classes=["trumps"])
    parts = _Blocks(plan, 0, tuple(range(5)), "basic", False, ("trumps",))(0, 10)
    values = np.concatenate([part.played.values for part in parts])
    trumps = np.concatenate([part.features for part in parts])[:, 0]
    (line,) = [line for line in chart.lines if line.key == (1,)]
    mine = values[trumps == 1]
    half = len(mine) // 2
    best = int(np.nanargmax(np.nanmean(mine[:half], axis=0)))
    assert line.hands == len(mine)
    assert line.contract == chart.names[best]
    assert line.worth == mean_and_error(mine[half:, best])
    assert line.gain == mean_and_error(mine[half:, best] - mine[half:, -1])


def test_cards_of_a_chart_are_those_of_a_study_with_its_seed():
    plan = make_plan("thousand-three", deals=64, seed=9, strategies="random")
    (part,) = _Blocks(plan, 0, (0,), "basic", False, ("aces",))(0, 1)
    for deal in range(0, 64, 16):
        cards = replay(plan, deal).dealt[0].cards["forehand"]
        assert part.features[deal, 0] == sum(card[0] == "A" for card in cards)


@pytest.mark.parametrize(
    ("game", "settings", "words"),
    [
        ("bezique", {"hand": "AS"}, "nothing is bid for in bezique"),
        (
            "deberts",
            {"hand": "JH 9H AS KD 8C 7C", "position": "turned: 8H", "levels": "double dummy"},
            "no level 'double dummy' of play",
        ),
        ("deberts", {"hand": "JH 9H AS KD 8C 7C", "position": "turned: 8H", "contracts": "grand"}, "contract"),
        ("deberts", {"hand": "JH 9H AS KD 8C 7C", "position": "turned: 8H", "worlds": 0}, "number of worlds"),
        ("deberts", {}, "name one of them"),
    ],
)
def test_what_cannot_be_asked_of_a_hand(game, settings, words):
    with pytest.raises(UsageError, match=words):
        simcards.game(game).bids(**settings)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"classes": "aces of spades"}, "no feature 'aces of spades'"),
        ({"seat": "east"}, "no seat 'east'"),
        ({"level": "best"}, "no level 'best' of play"),
        ({"contracts": "hearts and spades"}, "contract"),
        ({"deals": 1}, "number of deals"),
    ],
)
def test_what_cannot_be_asked_of_a_chart(settings, words):
    with pytest.raises(UsageError, match=words):
        simcards.game("deberts").bid_chart(**settings)


STUDY = """
kind = "bids"
game = "deberts"

[[odds]]
hands = { hand = 6 }
features = { "the jack of hearts" = "n('JH') == 1" }

[[hand]]
position = "turned: 8H"
hand = "JH 9H AS KD 8C 7C"
levels = ["basic", "open"]
worlds = 40
others = "bid"

[[chart]]
by = ["trump jack"]
deals = DEALS
"""


@pytest.mark.parametrize("deals", [40, 400])
def test_a_page_about_bids(tmp_path, deals):
    path = tmp_path / "study.toml"
    path.write_text(STUDY.replace("DEALS", str(deals)), encoding="utf-8")
    made = simcards.run(path, tmp_path / "page")
    said = made.markdown.read_text(encoding="utf-8")
    assert "18.75 %" in said  # six of 32 cards
    assert "turned suit" in said
    assert ("too few deals" in said) == (deals == 40)
    assert {record["contract"] for record in made.records["part-2-bids-basic"]} >= {"turned suit", "pass"}
    assert "Counted exactly: hand: 6 cards" in said
    assert said.count("trust the differences") == 1  # below the last of the two tables
    assert said.index("trust the differences") > said.index("Level open")
    drawn = (tmp_path / "page" / "figures" / "part-2-worth.svg").read_text(encoding="utf-8")
    assert ">spades<" in drawn
    assert ">hearts<" not in drawn  # the turned suit, which cannot be bid for by its own name


def test_a_page_of_odds_alone(tmp_path):
    """Needs nothing that is bid for."""
    path = tmp_path / "study.toml"
    path.write_text(
        'kind = "bids"\ngame = "piquet-rubicon"\n[[odds]]\n'
        'hands = { hand = "AS KS QS AH AD KD QC +5", discards = "9H 8H 9D 8D 9C" }\n'
        'features = { "four aces" = "n(\'A\', hand) == 4" }\n',
        encoding="utf-8",
    )
    said = simcards.run(path, tmp_path / "page").markdown.read_text(encoding="utf-8")
    assert "| four aces | 25 % | 1 in 4 |" in said  # one ace is unseen, and five of twenty cards are drawn
    assert "AS KS QS AH AD KD QC and 5 cards; discards: 9H 8H 9D 8D 9C" in said
    assert "contracts" not in said


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('others = "bid"', 'others = "sleep"', r"\[\[hand\]\] 1: others pass or bid"),
        ('by = ["trump jack"]', 'by = ["jack"]', "no feature 'jack'"),
        ('game = "deberts"', 'game = "bezique"', "nothing is bid for in bezique"),
        ("worlds = 40", "worlds = 4.5", "worlds must be a whole number"),
        ("features = {", "questions = {", "there is no key 'questions'"),
    ],
)
def test_pages_that_cannot_be_made(tmp_path, old, new, words):
    path = tmp_path / "study.toml"
    path.write_text(STUDY.replace("DEALS", "40").replace(old, new), encoding="utf-8")
    with pytest.raises(UsageError, match=words):
        simcards.run(path, tmp_path / "page")
