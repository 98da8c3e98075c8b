"""The reference in the numbers of the compiled game, and its row."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from simcards.kernel.protocol import MISSING as NOTHING

from .reference import ALL_TYPES, BIDS, MISERE, MISERE_DARK, NINE_DARK, Action, Game, Preferans, Rules, duty

CODES = [rank + suit for suit in "SHDC" for rank in "789TJQKA"]
CALLS = ["pass", *BIDS[:15], MISERE, *BIDS[15:20], MISERE_DARK, NINE_DARK, *BIDS[20:]]  # by number
PHASES = {"how": "invite"}
SOURCES = {
    "whists": ("tricks", "missing", "invitation", "own", "talon", "help"),
    "hill": ("contracts", "misere", "whisting", "all_pass", "off"),
    "pool": ("contracts", "misere", "all_pass", "help"),
}


def whole(value: Fraction) -> int:
    assert value.denominator == 1, value
    return int(value)


class Numbered:
    """What `Pair` asks of a reference."""

    def __init__(self, game: str, rules: Rules | None = None, places: Any = None) -> None:
        self.game = Game(game, rules)
        self.places = places

    @property
    def over(self) -> bool:
        return self.game.over

    def phase(self) -> str:
        deal = self.game.current
        return PHASES.get(deal.step, deal.step) if deal else "deal"

    def actor(self) -> int:
        deal = self.game.current
        return self.game.chairs[-1][deal.decider()] if deal else -1

    def feed(self, deck: list[int]) -> None:
        cards = [CODES[code] for code in deck]
        hands = [[cards[place] for place in self.places[chair]] for chair in (0, 1, 2)]
        self.game.deal(hands, [cards[place] for place in self.places["talon"]])

    def apply(self, number: int) -> None:
        self.game.apply(self.words()[number])

    def words(self) -> dict[int, Action]:
        """What the numbers stand for now, legal or not."""
        deal = self.game.current
        assert deal
        if deal.step == "look":
            return {0: ("stay",), 1: ("look",)}
        if deal.step == "bid":
            return {number: ("bid", call) for number, call in enumerate(CALLS) if number} | {0: ("pass",)}
        if deal.step == "contract":
            return {number: ("contract", call) for number, call in enumerate(CALLS)}
        if deal.step == "whist":
            return {0: ("pass",), 1: ("whist",), 2: ("own",)}
        if deal.step == "how":
            return {0: ("closed",), 1: ("open",), 2: ("own",)}
        return {code: (deal.step, card) for code, card in enumerate(CODES)}

    def legal(self) -> set[int]:
        deal = self.game.current
        assert deal
        legal = deal.legal()
        numbers = {number for number, action in self.words().items() if action in legal}
        if deal.step == "discard":  # two cards are laid away in the order of their numbers
            laid = deal.discards
            numbers = {n for n in numbers if n > CODES.index(laid[0])} if laid else numbers - {max(numbers)}
        return numbers

    def sheets(self) -> list[tuple[int, int, list[int]]]:
        """Pool, hill and whists of each player."""
        sheet = self.game.sheet
        seats = range(self.game.players)
        return [
            (whole(sheet.pool[seat]), whole(sheet.hill[seat]), [whole(sheet.whists[seat][other]) for other in seats])
            for seat in seats
        ]

    def row(self) -> dict[str, int | list[int]]:
        game, sheet = self.game, self.game.sheet
        seats = range(game.players)
        values = [whole(value) for value in game.values()]
        row: dict[str, int | list[int]] = {
            "value": values,
            "won": [int(sum(value >= values[seat] for value in values) == 1) for seat in seats],
            "pool": [whole(sheet.pool[seat]) for seat in seats],
            "hill": [whole(sheet.hill[seat]) for seat in seats],
            "whists": [whole(sum(sheet.whists[seat], Fraction(0))) for seat in seats],
            "whists_against": [whole(sum((line[seat] for line in sheet.whists), Fraction(0))) for seat in seats],
        }
        for where, names in SOURCES.items():
            for name in names:
                row[f"{where}_{name}"] = [whole(Fraction(sheet.sources[f"{where}_{name}", seat])) for seat in seats]
        played = list(zip(game.history, game.chairs))

        def counted(what: Any) -> list[int]:
            """Sum ``what(deal, chair)`` over the deals, by player; chair 3 is a dealer who has no hand."""
            found = [0] * game.players
            for deal, people in played:
                for chair, seat in enumerate(people):
                    if seat < game.players:
                        found[seat] += int(what(deal, chair))
            return found

        def declares(deal: Preferans, chair: int) -> bool:
            return deal.declarer == chair

        def kind(deal: Preferans) -> str:
            return str(deal.level or MISERE)

        def contract(deal: Preferans) -> bool:
            return deal.declarer is not None and deal.contract != MISERE

        def lacking(deal: Preferans) -> int:
            if deal.unplayed or deal.made:
                return 0
            taken = deal.taken()[deal.declarer]  # type: ignore[index]
            return taken if deal.contract == MISERE else deal.level - taken

        def whists(deal: Preferans, chair: int) -> bool:
            return contract(deal) and not deal.unplayed and chair in deal.whisters

        def short(deal: Preferans, chair: int) -> int:
            if not whists(deal, chair):
                return 0
            return sum(entry.times for entry in deal.entries() if (entry.why, entry.seat) == ("whisting", chair))

        def enough(deal: Preferans) -> bool:
            """The whisters have together what they owe together."""
            return 10 - deal.taken()[deal.declarer] >= duty(deal.level, game.rules)  # type: ignore[index]

        def defence(deal: Preferans, chair: int) -> int:
            """Those of a dummy are its partner's."""
            if chair == 3 or deal.declarer in (None, chair):
                return 0
            mine = deal.defenders if deal.dummy is not None else (chair,)
            return sum(deal.taken()[one] for one in mine)

        for name in sorted(ALL_TYPES):
            row["played_" + name] = counted(lambda deal, chair, name=name: declares(deal, chair) and kind(deal) == name)
            row["made_" + name] = counted(
                lambda deal, chair, name=name: declares(deal, chair) and kind(deal) == name and deal.made
            )
        row |= {
            "declared": counted(declares),
            "made": counted(lambda deal, chair: declares(deal, chair) and deal.made),
            "missing": counted(lambda deal, chair: declares(deal, chair) and lacking(deal)),
            "blind": counted(lambda deal, chair: declares(deal, chair) and deal.blind),
            "conceded": counted(lambda deal, chair: declares(deal, chair) and deal.unplayed),
            "tricks_declarer": counted(
                lambda deal, chair: declares(deal, chair) and contract(deal) and deal.taken()[chair]
            ),
            "tricks_misere": counted(
                lambda deal, chair: declares(deal, chair) and not contract(deal) and deal.taken()[chair]
            ),
            "tricks_defence": counted(defence),
            "tricks_all_pass": counted(lambda deal, chair: chair < 3 and deal.declarer is None and deal.taken()[chair]),
            "talon_tricks": counted(lambda deal, chair: chair == 3 and deal.declarer is None and deal.taken()[3]),
            "whisted": counted(whists),
            "whist_short": counted(short),
            "whist_made": counted(lambda deal, chair: whists(deal, chair) and enough(deal)),
            "invited_closed": counted(lambda deal, chair: whists(deal, chair) and deal.how == "closed"),
            "invited_open": counted(lambda deal, chair: whists(deal, chair) and deal.how == "open"),
            "own_taken": counted(lambda deal, chair: deal.how == "own" and deal.whist.get(chair) in ("own", "whist")),
            "whist_passed": counted(
                lambda deal, chair: contract(deal) and chair != deal.dummy and deal.whist.get(chair) == "pass"
            ),
            "all_pass_clean": counted(
                lambda deal, chair: (
                    chair < 3 and deal.declarer is None and bool(deal.tricks) and not deal.taken()[chair]
                )
            ),
        }
        levels: list[int] = []
        for seat in seats:
            mine = [deal.level for deal, people in played if contract(deal) and people[deal.declarer] == seat]  # type: ignore[index]
            levels.append(max(mine, default=int(NOTHING)))
        tricks = ("tricks_declarer", "tricks_misere", "tricks_defence", "tricks_all_pass")
        return row | {
            "contract": levels,
            "tricks": [sum(row[name][seat] for name in tricks) for seat in seats],  # type: ignore[index]
            "all_passed": game.passed_deals,
            "redealt": game.redealt,
            "halved": game.halved,
            "full": int(bool(sheet.size) and sheet.all_closed),
            "deals": game.deals,
        }
