"""The reference of bezique for three, four and in the Polish way against the text and the examples of CATALOGUE 3.1."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from . import heavy, reference
from .heavy_many import COVERED, FOUR, HEAVY, POLISH, THREE, VARIATIONS, games, heavy_game
from .reference_many import DEFAULTS, LEVELS, MELDS, PACKETS, SHAPES, SOURCES, SUITS, Action, Many, must_play, pack
from .reference_many import Card as Piece

PARTNERS = {"partnership": "opposite"}
BASE = [(THREE, {}), (THREE, {"remove_eights": 0}), (FOUR, {}), (FOUR, PARTNERS), (POLISH, {})]


def dealt(game: str, hands: list[str], turn_up: str, stock: str = "", rules: dict | None = None) -> list[str]:
    """The dealing order that gives these hands, seat 0 first; what is missing are small cards, hearts last."""
    left = Counter(pack(game, rules))
    given = [hand.split() for hand in hands] + [[]] * (SHAPES[game].seats - len(hands))
    left.subtract([card for hand in given for card in hand] + [turn_up, *stock.split()])
    assert min(left.values()) >= 0, left
    small = sorted(left.elements(), key=lambda card: (card[1] == "H", "789TJQKA".index(card[0])))
    full = [[*hand, *(small.pop(0) for _ in range(8 - len(hand)))] for hand in given]
    order: list[str] = []
    for packet in PACKETS:
        for hand in full:
            order += hand[:packet]
            del hand[:packet]
    return [*order, turn_up, *stock.split(), *small]


def words(text: str) -> Action:
    """`marriage H`, `bezique 2`, `seven`, `pass`, `lay KH`; `KH` plays from the hand, `KH*` from the table."""
    what, *rest = text.split()
    if what == "show":
        return ("show", *words(" ".join(rest))[1:])
    if what in ("marriage", "sequence", "four"):
        return ("declare", what, rest[0])
    if what == "bezique":
        return ("declare", what, int(rest[0]))
    if what == "lay":
        return ("lay", rest[0])
    if what in ("seven", "pass"):
        return (what,)
    return ("play", what[:2], "table" if what.endswith("*") else "hand")


def run(game: Many, script: str) -> None:
    """Actions parted by commas; `.` plays the actor's smallest card of the hand."""
    for text in script.split(","):
        if text.strip() == ".":
            small = min(
                (card for card in game.hand[game.turn]),
                key=lambda card: (card.height, card.suit == game.trump, card.name),
            )
            game.apply(("play", small.name, "hand"))
        else:
            game.apply(words(text.strip()))


def offered(game: Many) -> set[str]:
    """What may be scored, in words."""
    return {
        " ".join(str(word) for word in action if word != "declare") for action in game.legal() if action[0] != "show"
    } - {"pass"}


def start(name: str, hands: list[str], turn_up: str, stock: str = "", **rules: int | str) -> Many:
    game = Many(name, rules)
    game.feed(dealt(name, hands, turn_up, stock, rules))
    return game


NUMBERS = {"pass": 0, "marriage": 1, "sequence": 5, "bezique": 9, "four": 13, "seven": 17}


def number(action: Action) -> int:
    """The number of an action in the reference of bezique for two."""
    what, *rest = action
    if what in ("lay", "play"):
        return reference.code_of(rest[0]) + 32 * (rest[-1] == "table")
    if what == "declare":
        what, item = rest
        return NUMBERS[what] + (
            item - 1 if what == "bezique" else "AKQJ".index(item) if what == "four" else SUITS.index(item)
        )
    return NUMBERS[what]


@pytest.mark.parametrize(
    "rules", [{}, {"target": 0}, {"draw_order": "pone", "brisques": "at_end"}, heavy.OTHER_VALUES["bezique"]]
)
def test_for_two_it_is_the_reference_of_bezique(rules: dict) -> None:
    """Two references written apart agree at every step of games full of declarations."""
    for seed in range(30):
        one, decks, actions = heavy.play_heavy("bezique", rules, seed)
        other = reference.Reference("bezique", rules)
        many = Many("bezique", rules)
        left = iter(decks)
        for action in actions:
            if many.step == "deal":
                deck = next(left)
                many.feed([reference.name_of(code) for code in deck])
                other.feed(deck)
            named = {number(words): words for words in many.legal()}
            assert (many.actor(), many.phase(), set(named)) == (other.actor(), other.phase(), other.legal())
            many.apply(named[action])
            other.apply(action)
            assert tuple(many.points) == other.points
        for deck in left:  # the turn-up brings the last points
            many.feed([reference.name_of(code) for code in deck])
        assert many.over
        assert many.winner == one.winner
        for meld in MELDS:
            assert many.count[meld] == [player.counts[meld] for player in one.players]
            assert [many.first.get((meld, seat)) for seat in (0, 1)] == [
                player.first.get(meld) for player in one.players
            ]


# The rules of bezique, where more than two play ---------------------------------------------------------------


def test_timing_of_a_double_bezique() -> None:
    """E-BEZ-1: 40, 500, 60 and 40 on four tricks; after the double no single; 40 and 40 bar the double."""
    hand = "QS QS JD JD KH QH QC AH"
    game = start(THREE, [hand], "8H", "AH 7C 7D AH 8C 8D TH 9C 9D")
    run(game, "AH,.,.")
    assert offered(game) == {"bezique 1", "bezique 2", "four Q", "marriage H"}
    run(game, "bezique 1,AH,.,.")
    assert offered(game) == {"bezique 1", "bezique 2", "four Q", "marriage H"}
    run(game, "bezique 2,AH,.,.")
    assert offered(game) == {"four Q", "marriage H"}
    run(game, "four Q,TH,.,.")
    assert offered(game) == {"marriage H"}
    run(game, "marriage H")
    assert game.points[0] == 640 + 40  # three aces and a ten

    game = start(THREE, [hand], "8H", "AH 7C 7D AH 8C 8D")
    run(game, "AH,.,.,bezique 2,AH,.,.")
    assert offered(game) == {"four Q", "marriage H"}

    game = start(THREE, [hand], "8H", "AH 7C 7D AH 8C 8D")
    run(game, "AH,.,.,bezique 1,AH,.,.,bezique 1,AH,.,.")
    assert offered(game) == {"four Q", "marriage H"}


@pytest.mark.parametrize("name", [THREE, FOUR])
def test_a_triple_bezique_grows(name: str) -> None:
    """1500 beside the 40 and 500, each with one new pair; shown at once 1500 only; no quadruple."""
    others = ",".join("." * (SHAPES[name].seats - 1))
    fill = " ".join(["7C", "7D", "8D"][: SHAPES[name].seats - 1])
    stock = " ".join(f"{card} {fill}" for card in ("KH", "TH"))
    game = start(name, ["QS QS QS JD JD JD 9H JH"], "8H", stock)
    run(game, f"9H,{others},bezique 1,JH,{others},bezique 2,KH,{others}")
    assert offered(game) == {"bezique 1", "bezique 3"}  # the third pair was in nothing yet
    run(game, "bezique 3")
    assert game.points[0] == 40 + 500 + 1500
    assert game.scored["triple_bezique"][0] == 1500

    game = start(name, ["QS QS QS JD JD JD 9H JH"], "8H", stock)
    run(game, f"9H,{others}")
    assert offered(game) == {"bezique 1", "bezique 2", "bezique 3", "four J"}
    run(game, f"bezique 3,JH,{others}")
    assert offered(game) == set()
    assert game.points[0] == 1500


def test_a_fourth_pair_is_a_bezique_of_its_own() -> None:
    """No quadruple is named; the fourth pair was in nothing yet."""
    game = start(FOUR, ["QS QS QS QS JD JD JD 9H"], "8H", "JD 7C 7D 8D")
    run(game, "9H,.,.,.,bezique 3")
    assert sorted(card.name for card in game.hand[0]) == ["JD", "QS"]
    run(game, "QS*,.,.,.")
    assert offered(game) == {"bezique 1", "four J"}


def test_classes() -> None:
    """E-BEZ-2: upward only, across classes freely; used cards not again."""
    game = start(THREE, ["AH TH KH QH JH QH 9H JH"], "8H", "KH 7C 7D")
    run(game, "9H,.,.")
    assert offered(game) == {"marriage H", "sequence H"}
    run(game, "sequence H,JH,.,.")
    assert offered(game) == {"marriage H"}  # of the new king and the other queen: both were in nothing
    game = start(THREE, ["AH TH KH QH JH QH 9H JH"], "8H", "AC 7C 7D")
    run(game, "9H,.,.,sequence H,JH,.,.")
    assert offered(game) == set()  # another queen to the king of the sequence is no marriage
    game = start(THREE, ["AH TH KH QH JH 9H JH"], "8H")
    run(game, "9H,.,.,marriage H,JH,.,.")
    assert offered(game) == {"sequence H"}
    run(game, "sequence H")
    assert game.points[0] == 290


def test_a_replaced_king_or_jack_scores_nothing() -> None:
    """E-BEZ-2: four kings, one played and replaced; a spade marriage and a bezique with a card gone."""
    game = start(THREE, ["KS KH KD KC QS JD 9H JH"], "8H", "KS 7C 7D JD 8C 8D")
    run(game, "9H,.,.,four K,JH,.,.")
    assert offered(game) == {"marriage S", "bezique 1"}
    run(game, "marriage S,KS*,.,.")
    assert offered(game) == {"bezique 1"}  # the new king of spades makes neither four kings nor a marriage
    run(game, "bezique 1,JD*,.,.")
    assert offered(game) == set()


def test_held_in_mind() -> None:
    """E-BEZ-3: 40 for the bezique and 20 in mind; a trick lost; 40 for a royal marriage, then 250; still 20."""
    stock = "QH 7C 7D AH 8C 8D TH 9C 9D TC 9C 9D"
    game = start(THREE, ["KS KH KD KC QS JD 9H JH", "AC"], "8H", stock)
    run(game, "9H,.,.,four K,KD*,.,.")
    assert offered(game) == {"marriage S", "bezique 1", "marriage H"}
    run(game, "bezique 1,KC*,AC,.,pass")
    assert game.points == [80 + 40, 10, 0]
    assert game.turn == 1
    run(game, "7C,.,AH")
    assert offered(game) == {"marriage S", "marriage H"}
    run(game, "marriage H,JD*,.,.")
    assert offered(game) == {"marriage S"}
    run(game, "marriage S")
    assert game.points == [80 + 40 + 10 + 40 + 20, 10, 0]

    game = start(THREE, ["KS KH KD KC QS JD 9H JH"], "8H", stock)
    run(game, "9H,.,.,four K,KD*,.,.,bezique 1,KS*,.,.")
    assert offered(game) == {"marriage H"}  # with the king the 20 have gone

    game = start(THREE, ["KS KH KD KC QS JD 9H QH"], "8H", "JH 7C 7D AH 8C 8D TH 9C 9D JH 9C 9D")
    run(game, "9H,.,.,four K,KC*,.,.,bezique 1,KD*,.,.,marriage H,JD*,.,.")
    assert offered(game) == {"sequence H", "marriage S"}
    run(game, "sequence H,AH*,.,.")
    assert offered(game) == {"marriage S"}
    assert game.points[0] == 80 + 40 + 40 + 250 + 10


def test_what_is_held_lapses_with_the_stock() -> None:
    rng = random.Random(5)
    game = Many(THREE, {"target": 0})
    game.feed(rng.sample(pack(THREE), 95))
    while not game.over:
        assert game.drawing or game.step == "play"
        game.apply(rng.choice(sorted(game.legal(), key=str)))


def test_brisques_of_a_trick_of_three() -> None:
    game = start(THREE, ["TH", "AH", "AD"], "8H")
    run(game, "TH,AH,AD")
    assert game.points == [0, 30, 0]
    assert game.turn == 1


def test_the_first_of_identical_cards_wins() -> None:
    game = start(THREE, ["AS", "AS", "7H"], "8D")
    run(game, "AS,AS,7H")
    assert game.tricks == [1, 0, 0]


def test_trump_sevens() -> None:
    """Exchanged for the turn-up, and scored also when a seven lies there; nothing else on that trick."""
    game = start(THREE, ["7H 7H AH KH QH 7D", "7H"], "JH", "AC 7C 7S AC 8C 8D")
    run(game, "AH,.,.")
    assert offered(game) == {"marriage H", "seven"}
    run(game, "seven")
    assert game.points[0] == 20
    assert game.turn_up is not None
    assert game.turn_up.name == "7H"
    assert "JH" in [card.name for card in game.hand[0]]
    run(game, "KH,.,.,seven")
    assert game.points[0] == 30
    run(game, "QH,.,.")
    assert offered(game) == set()  # the seven in his hand has scored
    game = start(THREE, ["AH"], "7H")
    assert game.points == [0, 0, 10]  # the dealer's


def test_deals_go_round() -> None:
    """The deal passes to the left: who led first deals next."""
    rng = random.Random(1)
    for name, rules in BASE:
        game = Many(name, {**rules, "target": 100_000})
        for deal in range(5):
            game.feed(rng.sample(pack(name, rules), len(pack(name, rules))))
            assert game.eldest == game.turn == deal % len(game.seats)
            assert (game.dealer + 1) % len(game.seats) == game.eldest
            while game.step != "deal":
                game.apply(rng.choice(sorted(game.legal(), key=str)))


def test_two_cards_of_ninety_five_are_dead() -> None:
    """71 cards, 23 tricks with cards to draw; of 96 the turn-up falls to whoever draws last."""
    rng = random.Random(2)
    for removed, drawing in ((1, 23), (0, 24)):
        rules = {"remove_eights": removed, "target": 0}
        assert len(pack(THREE, rules)) == 96 - removed
        game = Many(THREE, rules)
        deck = rng.sample(pack(THREE, rules), 96 - removed)
        game.feed(deck)
        tricks = 0
        while game.drawing:
            game.apply(rng.choice(sorted(game.legal(), key=str)))
        tricks = game.trick
        assert tricks == drawing
        assert [len(hand) for hand in game.hand] == [8, 8, 8]
        last = (game.leader + 2) % 3
        if removed:
            assert not any(card is game.turn_up for card in game.hand[last])
            assert deck[-1] == game.gone[-2].name
        else:
            assert game.turn_up is None


# The last eight tricks --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("trick", "hand", "allowed"),
    [
        ("9S", "8S JS AS 7H", "JS AS"),
        ("9S JS", "8S KS AS TS", "KS AS TS"),
        ("9S AS", "8S JS 7H", "8S JS"),
        ("9S 7H", "8S AS 8H", "8S AS"),  # trumped: any of the suit
        ("9S", "7H AH AD", "7H AH"),
        ("9S 9H", "7H AH AD", "AH"),
        ("9S AH", "7H TH AD", "7H TH AD"),  # cannot win: what he likes
        ("9H", "7H TH AD", "TH"),
        ("9H TH", "7H 8H AD", "7H 8H"),
        ("9S", "7D AD", "7D AD"),
        ("AS", "AS TS", "AS TS"),  # the same card does not win
        ("AH", "AH 7S", "AH"),
    ],
)
def test_must_win(trick: str, hand: str, allowed: str) -> None:
    cards, on_table = [Piece(name) for name in hand.split()], [Piece(name) for name in trick.split()]
    assert {card.name for card in must_play(cards, on_table, "H")} == set(allowed.split())


# Four players, two against two --------------------------------------------------------------------------------


def test_partners_complete_a_sequence() -> None:
    """The text: one shows bezique and royal marriage and scores the marriage; the other adds A T J for 250."""
    game = start(FOUR, ["KH QH QS JD AS 9C", "", "AH TH JH AH"], "8H", "AC 7C 7D 8D", **PARTNERS)
    run(game, "AS,.,.,.,show bezique 1,marriage H,pass")
    assert game.points == [50, 0]
    run(game, "9C,.,AH,.")
    assert game.turn == 2
    assert offered(game) == {"sequence H", "bezique 1"}
    run(game, "sequence H")
    assert game.points == [50 + 10 + 250, 0]
    assert sorted(card.name for card in game.table[2]) == ["AH", "JH", "TH"]
    assert sorted(card.name for card in game.table[0]) == ["JD", "KH", "QH", "QS"]


def test_partners_complete_a_four() -> None:
    game = start(FOUR, ["KH QH AS 9C", "", "KS KD KC AH"], "8H", "AC 7C 7D 8D", **PARTNERS)
    run(game, "AS,.,.,.,marriage H,pass,9C,.,AH,.")
    assert offered(game) == {"four K"}
    run(game, "four K")
    assert game.points == [50 + 10 + 80, 0]


def test_what_is_shown_makes_a_double_of_the_partner() -> None:
    """A bezique shown and not scored, and one in the partner's hand; both singles could have come before."""
    game = start(FOUR, ["QS JD AS 9C", "", "QS JD AH"], "8H", "AC 7C 7D 8D", **PARTNERS)
    run(game, "AS,.,.,.,show bezique 1,pass,pass,9C,.,AH,.")
    assert game.points == [20, 0]
    assert offered(game) == {"bezique 1", "bezique 2"}
    run(game, "bezique 2")
    assert game.points == [520, 0]
    assert game.shown == [1, 0, 0, 0]
    assert game.with_partner == [0, 0, 1, 0]


def test_the_partner_declares_on_a_trick_of_his_partner() -> None:
    game = start(FOUR, ["AS", "KC QC", "KH QH"], "8H", **PARTNERS)
    run(game, "AS,.,.,.")
    assert (game.turn, offered(game)) == (0, set())
    run(game, "pass")
    assert (game.turn, offered(game)) == (2, {"marriage H"})
    run(game, "marriage H")
    assert game.points == [50, 0]
    assert game.scored["royal_marriage"] == [0, 0, 40, 0]
    assert game.turn == 0  # the winner leads


def test_without_partners_everybody_has_his_own() -> None:
    game = start(FOUR, ["KH QH AS 9C", "", "KS KD KC AH"], "8H")
    run(game, "AS,.,.,.,marriage H,9C,.,AH,.")
    assert offered(game) == set()


# Polish bezique -------------------------------------------------------------------------------------------------


def test_court_cards_and_the_ten_of_trumps_are_kept() -> None:
    game = start(POLISH, ["AS AH TS", "TH KS QD TD"], "8H", "7C 8C 7D 8D 9C 9D")
    run(game, "AS,KS")
    assert [card.name for card in game.kept[0]] == ["KS"]
    assert game.points == [10, 0]
    run(game, "pass,AH,TH,pass,TS,QD")
    assert [card.name for card in game.kept[0]] == ["KS", "TH", "QD"]  # neither aces nor a plain ten
    assert game.points == [10 + 20 + 10, 0]
    assert {action[1] for action in game.legal() if action[0] == "play"}.isdisjoint({"KS", "TH", "QD"})


def test_captured_cards_are_declared_with_the_hand_and_alone() -> None:
    game = start(POLISH, ["AS QS AH AH", "KS KH QH"], "8H", "7C 8C 7D 8D 9C 9D")
    run(game, "AS,KS")
    assert offered(game) == {"marriage S"}
    run(game, "marriage S")
    assert [card.name for card in game.table[0]] == ["QS"]
    assert game.points == [30, 0]
    run(game, "AH,KH")
    assert offered(game) == set()
    run(game, "pass,AH,QH")
    assert offered(game) == {"marriage H"}
    run(game, "marriage H")
    assert game.points == [30 + 20 + 40, 0]
    assert game.events["of captured cards only"] == 1


def test_captured_cards_stay_on_the_table() -> None:
    rng = random.Random(3)
    game = Many(POLISH, {"target": 0})
    game.feed(rng.sample(pack(POLISH), 64))
    while not game.over:
        game.apply(rng.choice(sorted(game.legal(), key=str)))
        if not game.drawing:
            assert game.table == [[], []]
    assert sum(len(cards) for cards in game.kept) == 6 * 4 + 2
    assert game.hand == [[], []]


# What must always hold --------------------------------------------------------------------------------------


def play(name: str, rules: dict, seed: int) -> Many:
    rng = random.Random(seed)
    game = Many(name, rules)
    total = sorted(pack(name, rules))
    while not game.over:
        if game.step == "deal":
            game.feed(rng.sample(pack(name, rules), len(total)))
            continue
        actions = sorted(game.legal(), key=str)
        game.apply(rng.choices(actions, [10 if action[0] in ("declare", "seven") else 1 for action in actions])[0])
        if game.step != "deal":
            places = [*game.hand, *game.table, *game.kept, game.gone, game.stock, game.played]
            cards = [card.name for place in places for card in place] + ([game.turn_up.name] if game.turn_up else [])
            assert sorted(cards) == total
    return game


@pytest.mark.parametrize(("name", "rules"), BASE)
def test_sums(name: str, rules: dict) -> None:
    """Points are what was scored; the brisques of a deal count 10 each, the last trick 10."""
    for seed in range(20):
        game = play(name, {**rules, "target": 0}, seed)
        assert sum(game.tricks) == (len(pack(name, rules)) - (2 if len(pack(name, rules)) == 95 else 0)) // len(
            game.seats
        )
        values = DEFAULTS[name]
        for side in range(game.sides):
            mine = [seat for seat in game.seats if game.side(seat) == side]
            assert game.points[side] == sum(game.scored[source][seat] for source in SOURCES for seat in mine)
        for meld in MELDS:
            assert game.scored[meld] == [values[meld] * count for count in game.count[meld]]
        assert not any(game.count[LEVELS[4]])
        assert game.scored["brisques"] == [10 * count for count in game.brisques]
        packs = SHAPES[name].packs
        dead = 8 * packs - sum(game.brisques)
        assert dead in ((0, 1, 2) if name == THREE and len(pack(name, rules)) == 95 else (0,))
        assert sum(game.scored["last_trick"]) == 10


@pytest.mark.parametrize(("name", "rules"), BASE)
def test_games_to_the_target(name: str, rules: dict) -> None:
    for seed in range(5):
        game = play(name, rules, seed)
        assert game.winner is not None
        assert game.points[game.winner] >= DEFAULTS[name]["target"]
        assert sorted(game.points)[-2] < DEFAULTS[name]["target"]


@pytest.mark.parametrize("brisques", ["as_won", "at_end"])
def test_partners_change_for_the_last_eight_tricks(brisques: str) -> None:
    """Each of the new pairs is of both sides, and each of the two brings half to his own."""
    rules = {**PARTNERS, "regroup_last_eight": "yes", "target": 0, "brisques": brisques}
    rng = random.Random(4)
    for _ in range(20):
        game = Many(FOUR, rules)
        game.feed(rng.sample(pack(FOUR), 128))
        while game.drawing:
            game.apply(rng.choice(sorted(game.legal(), key=str)))
        before = [game.points[side] + game.waiting[side] + game.waiting[side + 2] for side in (0, 1)]
        left = 32 - sum(game.brisques)
        winner, couples = game.leader, game.couples
        assert couples == {winner: 0, (winner + 1) % 4: 0, (winner + 2) % 4: 1, (winner + 3) % 4: 1}
        while not game.over:
            game.apply(rng.choice(sorted(game.legal(), key=str)))
        assert game.points == [points + 5 * left + 5 for points in before]


def test_heavy_games_cover_the_rules() -> None:
    """The games that are put to the compiled ones have what random play hardly ever shows."""
    seen: dict[str, Counter[str]] = {name: Counter() for name in COVERED}
    for name, rules in VARIATIONS:
        for seed in range(games(name, rules, HEAVY)):
            game = Many(name, rules)
            for step in heavy_game(game, seed):
                if isinstance(step, list):
                    game.feed(step)
                else:
                    game.apply(step)
            seen[name] += game.events
    for name, least in COVERED.items():
        assert not {event: seen[name][event] for event in least if seen[name][event] < least[event]}, name
