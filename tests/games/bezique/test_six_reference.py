"""The reference of the games with six packs against the examples of CATALOGUE 3.1 and what must always hold."""

from __future__ import annotations

import random
from collections import Counter
from math import comb

import pytest

from .examples import DECLARATIONS, Story, play
from .heavy_six import COVERED, NORMAL_RUN, VARIATIONS, play_heavy, uncovered
from .reference import COURTS, DEFAULTS, MELDS, MISSING, PHASES, code_of, pack
from .reference_six import CHINESE, SIX, Card, Chinese, SixPack, make, settle_six

CODES = DECLARATIONS | {
    "trump aces": 18,
    "trump tens": 19,
    "trump kings": 20,
    "trump queens": 21,
    "trump jacks": 22,
}
SMALL = [f"{rank}C" for rank in "897" for _ in range(6)]  # what "x" stands for, one after the other


class Table:
    """A deal in the words of a table, to be played by `run`.

    "x" in the pone's hand and draws is a small club; leading "x" plays the oldest. The dealer throws worthless
    cards as long as he is not told what to hold. So the pone wins every trick which he leads.
    """

    def __init__(self, pone: str, dealer: str = "", game: str = SIX) -> None:
        self.game = game
        self.small = iter(SMALL)
        self.led = iter(SMALL)
        worthless = [f"{rank}{suit}" for suit in "DS" for rank in "789" for _ in range(6)]
        size = len(pone.split())
        self.thrown = worthless[: size - 1]
        self.rest = iter(worthless[size - 1 :])
        self.dealer = dealer
        self.story = Story("", game, self._named(pone), dealer or " ".join([*self.thrown, "JC"]))
        self.steps: list[tuple[str, object]] = []

    def _named(self, cards: str) -> str:
        return " ".join(next(self.small) if card == "x" else card for card in cards.split())

    def trick(self, lead: str = "x", draw: str = "x", follow: str = "") -> Table:
        """A trick, and what the pone draws after it; with both hands given `draw` is what both draw."""
        if not self.dealer:
            follow = self.thrown.pop(0)
            self.thrown.append(next(self.rest))
            draw = f"{self._named(draw)} {self.thrown[-1]}"
        self.story.draw(draw)
        lead = next(self.led) if lead == "x" else lead
        self.steps += [("act", play(lead)), ("act", play(follow))]
        return self

    def declare(self, what: str) -> Table:
        self.steps.append(("act", CODES[what]))
        return self

    def pick(self, cards: str) -> Table:
        self.steps += [("act", code_of(card)) for card in cards.split()]
        return self

    def answer(self, yes: bool) -> Table:
        self.steps.append(("act", int(yes)))
        return self

    def only(self, *what: str) -> Table:
        """The whole list of declarations, passing apart."""
        self.steps.append(("legal", {CODES[item] for item in (*what, "pass")}))
        return self

    def cards(self, *what: str) -> Table:
        """The whole list of cards that may be played or picked."""
        self.steps.append(("legal", {play(card) for card in what}))
        return self

    def at(self, phase: str, actor: int) -> Table:
        self.steps.append(("at", (phase, actor)))
        return self

    def points(self, pone: int, dealer: int = 0) -> Table:
        self.steps.append(("points", (pone, dealer)))
        return self

    def run(self) -> SixPack | Chinese:
        game = make(self.game, None, [self.story.deck()])
        for number, (what, value) in enumerate(self.steps):
            where = f"step {number}"
            if what == "act":
                game.apply(value)
            elif what == "legal":
                assert game.legal() == value, where
            elif what == "at":
                assert (game.phase(), game.actor()) == value, where
            else:
                assert game.points == value, where
        return game


# Settlement -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("points", "value", "big_points", "rubiconed"),
    [
        # E-SIX-1
        ((7960, 3780), 5180, 52, 0),
        ((7960, 2780), 11740, 117, 1),
        ((4050, 4000), 1100, 11, 0),
        ((2500, 1800), 1700, 17, 0),
        # the line, both sides of it
        ((3000, 2990), 6990, 70, 1),
        ((3100, 3000), 1100, 11, 0),
        ((2990, 2980), 1100, 11, 0),
        ((3000, 0), 4000, 40, 1),
        # the least difference, and rounding
        ((3600, 3500), 1100, 11, 0),
        ((3600, 3510), 1100, 11, 0),
        ((3640, 3500), 1140, 11, 0),
        ((3650, 3500), 1150, 12, 0),
        ((2000, 2000), 0, 0, 0),
    ],
)
def test_settlement(points: tuple[int, int], value: int, big_points: int, rubiconed: int) -> None:
    settled = settle_six(points)
    assert (settled.value, settled.big_points, settled.rubiconed) == (value, big_points, (False, bool(rubiconed)))
    turned = settle_six(points[::-1])
    assert (turned.value, turned.big_points, turned.rubiconed) == (-value, -big_points, (bool(rubiconed), False))


# Combinations -----------------------------------------------------------------------------------------------


def test_jacks_of_the_example() -> None:
    """E-SIX-1: three trump jacks on the table and a double bezique down."""
    table = Table("AH TH KH QH JH JH JH JD JD QS QS x")
    table.trick().only("marriage H", "sequence H", "bezique", "double", "jacks")
    # Sequences which differ in the jack bring three to the table: "lay one more king, declare another sequence".
    table.declare("sequence H").points(250)
    table.trick().only("sequence H", "bezique", "double", "jacks").declare("sequence H")
    table.trick().declare("sequence H").points(750)
    table.trick("x", "JH").only("bezique", "double", "jacks").declare("double").points(1250)
    # Five jacks lie there: neither any four nor four trumps with the one in the hand.
    table.trick("QS*", "x").only("sequence H").declare("pass")
    # One of them played, no matter which: the four that lie there count, the trump in the hand still does not.
    table.trick("JD*", "x").only("sequence H", "jacks").declare("pass")
    # Both played.
    table.trick("JD*", "x").only("sequence H", "jacks", "trump jacks").declare("trump jacks")
    # The jack just laid is new to a sequence.
    table.points(1650).trick("x", "JS").only("sequence H").declare("pass")
    # The weaker four is not taken out of the stronger one, so not with three of its jacks either.
    table.trick("JH*", "x").only("sequence H").declare("pass")
    table.run()


def test_one_of_five_jacks_played_is_a_trump() -> None:
    table = Table("AH TH KH QH JH JH JH JD JD QS QS x")
    table.trick().declare("sequence H").trick().declare("sequence H")
    table.trick().declare("sequence H").trick().declare("double")
    table.trick().only().declare("pass")
    table.trick("JH*", "x").only("jacks").declare("jacks").at("play", 0).points(1290)
    # Scored in class C now; the sequence and the bezique are other classes.
    table.trick().only()
    table.run()


def test_fours_are_laid_by_choice_and_formed_again() -> None:
    table = Table("AS AH AD AC AS KC x x x x x x")
    table.trick("x", "AH").only("aces").declare("aces")
    table.at("lay", 0).cards("AS", "AH", "AD", "AC").pick("AS").cards("AS", "AH", "AD", "AC").pick("AS")
    table.cards("AH", "AD", "AC").pick("AC AD").at("play", 0).points(100)
    table.cards("8C", "KC", "AH", "AS*", "AD*", "AC*")
    # Another ace in the hand: not while the four lie there, and an ace played from the hand changes nothing.
    table.trick("x", "AH").only().declare("pass")
    table.trick("AH", "AC").only().declare("pass")
    table.trick("AC*", "x").only("aces").declare("aces").at("lay", 0).cards("AH", "AC").pick("AH")
    table.points(200)
    table.run()


def test_kings_of_any_suits_grow_to_kings_of_trumps() -> None:
    table = Table("KH QH KS KD KC KH KH KH x x x x")
    table.trick().only("marriage H", "kings").declare("marriage H").points(40)
    table.trick().only("marriage H", "kings", "trump kings").declare("kings")
    table.cards("KS", "KD", "KC", "KH").pick("KS KD KC").points(120)
    table.trick("KS*", "x").only("marriage H", "kings").declare("pass")
    table.trick("KD*", "x").only("marriage H", "kings").declare("pass")
    table.trick("KC*", "KS").only("marriage H", "kings", "trump kings").declare("trump kings")
    table.points(920)
    # The king of the marriage is the most used one and goes first; the others are new to a marriage.
    table.trick("KH*", "KH").only("marriage H").declare("pass")
    table.trick().only("marriage H", "trump kings").declare("trump kings").points(1720)
    table.trick().only("marriage H").declare("marriage H").points(1760)
    table.run()


def test_four_trump_tens_and_aces() -> None:
    table = Table("KC QC TC TC TC TC AC AC AC AC x x")
    # No trumps yet: four tens are nothing, four aces are any four.
    table.trick().only("marriage C", "aces").declare("marriage C")
    table.trick().only("aces", "trump aces", "trump tens").declare("trump tens").points(940)
    table.trick().only("aces", "trump aces").declare("aces").at("play", 0).points(1040)
    # The same four cards again are nothing new as a plain four, but they may become the stronger one.
    table.trick("x", "AC").only("trump aces").declare("pass")
    table.trick("AC*", "x").only("aces", "trump aces").declare("trump aces").points(2040)
    table.run()


def test_marriages() -> None:
    table = Table("KS QS QS KS KD QD QD x x x x x")
    table.trick().only("marriage S", "marriage D", "queens").declare("marriage S").points(40)
    # Not broken: a further queen, then a further king.
    table.trick("x", "KC").only("marriage S", "marriage D", "queens").declare("marriage S").points(80)
    table.trick().only("marriage S", "marriage D", "queens", "kings").declare("marriage S")
    table.points(120).trick().only("marriage D", "queens", "kings").declare("marriage D")
    table.points(140)
    game = table.run()
    assert (game.trump, game.trump_trick, game.trump_maker) == ("S", 1, 0)


def test_sequences() -> None:
    table = Table("AD TD KD QD JD AH TH KH QH JH x x")
    table.trick().only("marriage D", "marriage H", "sequence D", "sequence H")
    table.declare("sequence H").points(250)
    table.trick().only("marriage D", "sequence D").declare("marriage D").points(270)
    table.trick().only("sequence D").declare("sequence D").points(420)
    # Neither a marriage out of a sequence nor with a new queen; but a new king and queen are one of their own.
    table.trick("x", "QD").only().declare("pass")
    table.trick("x", "KD").only("sequence D").declare("pass")
    table.trick("AH*", "x").only("sequence D", "marriage D").declare("sequence D").points(570)
    # The sequence has taken the queen.
    table.trick().only("sequence D").declare("sequence D").points(720)
    table.run()


def test_two_sequences_of_one_suit_do_not_lie_together() -> None:
    table = Table("AH TH KH QH JH AH TH KH QH JH x x")
    table.trick().only("marriage H", "sequence H").declare("sequence H")
    for others in (["marriage H"], ["marriage H"], [], []):  # until one of the new pair goes into a sequence
        table.trick().only("sequence H", *others).declare("sequence H")
    # Two of each lie there but for the ace.
    table.points(1250).trick().only().declare("pass")
    table.trick("AH*", "x").only("sequence H").declare("sequence H").points(1500)
    table.run()


def test_beziques_grow() -> None:
    table = Table("QS QS QS QS JD JD JD JD x x x x")
    table.trick().only("bezique", "double", "triple", "quadruple", "queens", "jacks")
    table.declare("bezique").points(40)
    table.trick().only("bezique", "double", "triple", "quadruple", "queens", "jacks")
    table.declare("double").points(540)
    table.trick().only("bezique", "double", "triple", "quadruple", "queens", "jacks")
    table.declare("triple").points(2040)
    table.trick().only("bezique", "triple", "quadruple", "queens", "jacks")
    table.declare("quadruple").points(6540)
    table.trick("x", "QS").only("queens", "jacks").declare("pass")
    # An equal one again, with one new card; then five queens lie there.
    table.trick().only("quadruple", "queens", "jacks").declare("quadruple").points(11040)
    table.trick().only("jacks")
    table.run()


def test_beziques_without_the_reading() -> None:
    """With `doubles_again` off a further queen is nothing beside a double bezique."""
    table = Table("QS QS QS JD JD x x x x x x x")
    table.trick().declare("double").trick()
    assert table.run().legal() == {CODES["pass"], CODES["double"]}
    game = make(SIX, None, [table.story.deck()])
    game.doubles_again = False
    for what, action in table.steps:
        assert what == "act"
        game.apply(action)
    assert game.legal() == {CODES["pass"]}


# Carte blanche, the end -------------------------------------------------------------------------------------


def test_cartes_blanches() -> None:
    table = Table("7S 8S 9S TS AS 7C 8C 9C TC AC 7H 8H", "7D 8D 9D TD AD 7H 8H 9H TH AH 7S 8S")
    table.at("show", 0).answer(True).at("show", 1).answer(True).points(250, 250).at("play", 0)
    table.trick("8C", "9C 9D", follow="7D").declare("pass").at("show", 0).answer(True).at("show", 1).answer(False)
    table.points(500, 250).at("play", 0).trick("9C", "AC 9D", follow="8D").declare("pass")
    table.at("show", 0).answer(True).trick("AC", "KC 9D", follow="9D").declare("pass").at("play", 0)
    # The king has gone: twelve cards without a court again, and nothing for it.
    table.trick("KC", "7C 7D", follow="9D").declare("pass").at("play", 0).points(750, 250)
    table.run()


def test_the_last_twelve_tricks() -> None:
    """Follow suit, else trump; nobody must win. And the premium of the last trick may be declined."""
    game = make(SIX, None, [pack(SIX)])
    game.stock, game.trump, game.step = [], "H", "play"
    for player, hand in zip(game.players, ("8S 9D TC", "7S AS TH")):
        player.hand = [Card(*name) for name in hand.split()]
    game.apply(code_of("8S"))
    assert game.legal() == {code_of("7S"), code_of("AS")}
    game.apply(code_of("7S"))
    assert game.phase() == "play"
    game.apply(code_of("9D"))
    assert game.legal() == {code_of("TH")}
    game.apply(code_of("TH"))
    assert game.actor() == 1
    game.apply(code_of("AS"))
    game.apply(code_of("TC"))
    assert (game.phase(), game.actor(), game.legal(), game.points) == ("last", 1, {0, 1}, (0, 0))
    game.apply(0)
    assert game.over
    assert game.points == (0, 0)


# Chinese bezique --------------------------------------------------------------------------------------------


def test_chinese_five_aces_of_one_suit() -> None:
    """Rubicon with more packs: five copies of a card leave no choice, and four of them are laid."""
    table = Table("AS AS AS AS AS x x x JC", game=CHINESE)
    table.trick().only("aces").declare("aces").at("play", 0).points(100)
    table.cards("8C", "JC", "AS", "AS*")
    table.trick("AS*", "x").only("aces").declare("aces").at("play", 0).points(200)
    # The short cut of rubicon bezique: a further ace played from the hand.
    table.trick("x", "AS").only().declare("pass")
    table.trick("AS", "x").only("aces").declare("aces").points(300)
    table.run()


def test_chinese_double_is_not_scored_again_by_one_card() -> None:
    table = Table("QS QS QS JD JD x x x x", game=CHINESE)
    table.trick().declare("double").trick().only().declare("pass")
    table.run()


# What must hold in every game -------------------------------------------------------------------------------


def random_game(game: str, rules: dict[str, int], seed: int) -> SixPack | Chinese:
    rng = random.Random(seed)
    reference = make(game, rules, [rng.sample(pack(game), len(pack(game)))])
    while not reference.over:
        reference.apply(rng.choice(sorted(reference.legal())))
    return reference


@pytest.mark.parametrize(("game", "rules"), VARIATIONS)
def test_sums(game: str, rules: dict[str, int]) -> None:
    for seed in range(10):
        for reference in (random_game(game, rules, seed), play_heavy(game, rules, seed)[0]):
            row = reference.row()
            values = DEFAULTS[game] | rules
            parts = [name for name in row if name.startswith("points_")]
            for seat in (0, 1):
                assert row["points"][seat] == sum(row[name][seat] for name in parts)
                assert row["points_carte_blanche"][seat] == values["carte_blanche"] * row["cartes_blanches"][seat]
                for name in MELDS[game]:
                    assert row[f"points_{name}"][seat] == values[name] * row[f"count_{name}"][seat]
                    assert (row[f"first_{name}"][seat] == MISSING) == (row[f"count_{name}"][seat] == 0)
            assert sum(row["tricks"]) == 96
            assert sum(row["brisques"]) == 48
            premiums = [values["last_trick"]] + [0] * (game == SIX)
            assert sum(row["points_last_trick"]) in premiums
            assert row["value"][0] == -row["value"][1]


@pytest.mark.parametrize(("game", "rules"), VARIATIONS)
def test_cards_are_conserved(game: str, rules: dict[str, int]) -> None:
    size = 12 if game == SIX else 9
    for seed in range(10):
        _, decks, actions = play_heavy(game, rules, seed)
        reference = make(game, rules, decks)
        played: list[int] = []
        for action in actions:
            if reference.step == "play":
                played.append(action % 32)
            reference.apply(action)
            hands = [player.hand + player.table for player in reference.players]
            rest = [card.code for cards in (*hands, reference.stock) for card in cards]
            assert sorted(rest + played) == pack(game)
            assert reference.phase() in PHASES[game]
            if reference.step == "play" and reference.lead is None and reference.stock:
                assert [len(cards) for cards in hands] == [size, size]


def test_restrictions_can_be_seen_on_the_table() -> None:
    """After a four all of its rank on the table is the four; after a sequence no two of its suit lie there."""
    ranks = {"aces": "A", "tens": "T", "kings": "K", "queens": "Q", "jacks": "J"}
    met: Counter[str] = Counter()
    for seed in range(60):
        _, decks, actions = play_heavy(SIX, {}, seed)
        game = make(SIX, {}, decks)
        for action in actions:
            player = game.players[game.actor()]
            before = Counter(player.counts)
            declaring = game.step == "declare"
            game.apply(action)
            if not game.stock:  # the table has gone back to the hand
                break
            lying = Counter((card.rank, card.suit) for card in player.table)
            for name in player.counts - before:
                last = name.split("_")[-1]
                met[last] += 1
                if last in ranks:
                    numbers = {suit: lying[ranks[last], suit] for suit in "SHDC"}
                    assert sum(numbers.values()) == 4
                    assert not name.startswith("trump") or numbers[game.trump] == 4
                elif last == "sequence":
                    assert declaring
                    assert min(lying[rank, "SHDC"[action - CODES["sequence S"]]] for rank in "JQKTA") == 1
    assert min(met[name] for name in [*ranks, "sequence"]) > 10


def test_carte_blanche_dealt() -> None:
    """CATALOGUE 3.16: C(120,12) / C(192,12); here only that the reference asks exactly then."""
    assert round(comb(120, 12) / comb(192, 12), 6) == 0.002858
    rng = random.Random(1)
    asked = 0
    for _ in range(3000):
        deck = rng.sample(pack(SIX), 192)
        game = make(SIX, {}, [deck])
        blank = [not any(card.rank in COURTS for card in player.hand) for player in game.players]
        assert game.showing == [seat for seat in (0, 1) if blank[seat]]
        asked += len(game.showing)
    assert 6000 * 0.002858 * 0.4 < asked < 6000 * 0.002858 * 1.9  # about 17 expected


def test_heavy_games_cover_the_rules() -> None:
    seen: dict[str, Counter[str]] = {CHINESE: Counter(), SIX: Counter()}
    for game, rules in VARIATIONS:
        for seed in range(NORMAL_RUN[game]):
            seen[game] += play_heavy(game, rules, seed)[0].events
    for game in COVERED:
        assert not uncovered(game, seen[game])
