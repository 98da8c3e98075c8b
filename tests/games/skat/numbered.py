"""The reference in the numbers of the compiled game, and its row."""

from __future__ import annotations

from typing import Any

from simcards.kernel.protocol import MISSING

from .reference import FOUR, Action, Contract, Rules, Skat, contract_of, points_of, words

CODES = [rank + suit for suit in "SHDC" for rank in "789QKTAJ"]
GAMES = {"skat": {}, "skat-four-handed": FOUR}
KINDS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs", "grand": "grand", "null": "null"}
LEVELS = ["", "schneider", "schwarz", "ouvert"]
PHASES = {"call": "bid", "answer": "bid", "open": "bid", "skat": "skat", "discard": "discard", "announce": "declare"}
# three cards to each, the skat, four and three: the places of the hands in the dealing order
PLACES = [[*range(3 * k, 3 * k + 3), *range(11 + 4 * k, 15 + 4 * k), *range(23 + 3 * k, 26 + 3 * k)] for k in range(3)]
LONGEST_JUMP = 63  # values above the last bid: more have no number
FACTORS = {
    "game": "game",
    "hand": "hand",
    "schneider": "schneider",
    "schneider announced": "schneider_announced",
    "schwarz": "schwarz",
    "schwarz announced": "schwarz_announced",
    "ouvert": "ouvert",
}


class Numbered:
    """What `Pair` asks of a reference."""

    def __init__(self, game: str, rules: Rules | None = None) -> None:
        self.game = Skat({"deals": 36} | GAMES[game] | (rules or {}))

    @property
    def over(self) -> bool:
        return self.game.over

    def phase(self) -> str:
        return PHASES.get(self.game.step, self.game.step)

    def actor(self) -> int:
        return self.game.turn

    def feed(self, deck: list[int]) -> None:
        cards = [CODES[code] for code in deck]
        self.game.deal([[cards[place] for place in places] for places in PLACES], cards[9:11])

    def apply(self, number: int) -> None:
        self.game.apply(self.words()[number])

    def words(self) -> dict[int, Action]:
        """What the numbers stand for now, legal or not."""
        game = self.game
        step = game.step
        if step == "call":
            bids = game.higher()[:LONGEST_JUMP]
            return {0: ("pass",)} | {number: ("bid", str(bid)) for number, bid in enumerate(bids, 1)}
        if step == "answer":
            return {0: ("pass",), 1: ("hold",)}
        if step == "open":
            return {0: ("pass",), 1: ("bid", "18")}
        if step == "skat":
            return {0: ("hand",), 1: ("take",)}
        if step in ("discard", "play"):
            return {code: (step, card) for code, card in enumerate(CODES)}
        assert step == "announce"
        found: dict[int, Action] = {}
        for level, promise in enumerate(LEVELS):
            for number, kind in enumerate(KINDS):
                said = [kind, promise] if promise else [kind]
                if promise == "ouvert" and kind != "null":
                    said = [kind, "schwarz", "ouvert"]
                found[6 * level + number] = ("announce", *words(contract_of(tuple(said), not game.picked)))
        return found

    def legal(self) -> set[int]:
        legal = self.game.legal()
        numbers = {number for number, action in self.words().items() if action in legal}
        if self.game.step == "discard":  # two cards are laid away in the order of their numbers
            laid = self.game.discards
            numbers = {n for n in numbers if n > CODES.index(laid[0])} if laid else numbers - {max(numbers)}
        return numbers

    def points(self) -> list[int]:
        return list(self.game.scores)

    def row(self) -> dict[str, int | list[int]]:
        game = self.game
        seats = range(game.players)
        played: list[dict[str, Any]] = [deal for deal in game.history if deal["result"]]
        best, least = max(game.scores), min(game.scores)

        def declared(what: Any, total: Any = sum) -> list[int]:
            return [total([int(what(deal)) for deal in played if deal["soloist"] == seat]) for seat in seats]

        def highest(numbers: list[int]) -> int:
            return max(numbers, default=MISSING)

        value = [game.players * score - sum(game.scores) for score in game.scores]
        own = [(game.players - 1) * score for score in game.scores]
        row: dict[str, int | list[int]] = {
            "points": list(game.scores),
            "value": value,
            "value_declaring": own,
            "value_defending": [value[seat] - own[seat] for seat in seats],
            "won": [int(best > least and score == best) for score in game.scores],
            "winner_points": best,
            "loser_points": least,
            "passed_in": sum(deal["result"] is None for deal in game.history),
            "deals": game.done,
        }

        def contract(deal: dict[str, Any]) -> Contract:
            found: Contract = deal["contract"]
            return found

        def is_won(deal: dict[str, Any]) -> bool:
            return bool(deal["result"].score > 0)

        def base(deal: dict[str, Any]) -> int:
            return contract(deal).base * is_won(deal) if contract(deal).kind != "null" else 0

        row["points_matadors"] = declared(lambda deal: base(deal) * deal["result"].matadors)
        for factor, name in FACTORS.items():
            row["points_" + name] = declared(
                lambda deal, factor=factor: base(deal) * (factor in deal["result"].factors)
            )
        row["points_null"] = declared(
            lambda deal: deal["result"].score * is_won(deal) * (contract(deal).kind == "null")
        )

        def once(deal: dict[str, Any]) -> int:
            """What a loss costs without doubling."""
            if is_won(deal):
                return 0
            doubled = not contract(deal).hand or game.rules["hand_loss"] == "double"
            return int(deal["result"].score) // (2 if doubled else 1)

        row["points_failed"] = declared(lambda deal: once(deal) * (not deal["result"].made))
        row["points_overbid"] = declared(lambda deal: once(deal) * deal["result"].made)
        row["points_doubled"] = declared(lambda deal: (deal["result"].score - once(deal)) * (not is_won(deal)))
        for kind, name in KINDS.items():
            row["played_" + name] = declared(lambda deal, kind=kind: contract(deal).kind == kind)
            row["made_" + name] = declared(lambda deal, kind=kind: contract(deal).kind == kind and is_won(deal))

        def trumps(deal: dict[str, Any]) -> bool:
            return contract(deal).kind != "null"

        def found(deal: dict[str, Any]) -> list[str]:
            """What the skat brought him who took it."""
            return [] if contract(deal).hand else deal["skat"]

        row |= {
            "hand_games": declared(lambda deal: contract(deal).hand),
            "hand_made": declared(lambda deal: contract(deal).hand and is_won(deal)),
            "open_games": declared(lambda deal: contract(deal).ouvert),
            "schneider_announced": declared(lambda deal: bool(contract(deal).promise)),
            "schwarz_announced": declared(lambda deal: contract(deal).promise == "schwarz"),
            "schneider": declared(lambda deal: trumps(deal) and deal["standing"][0] >= game.rules["schneider"]),
            "schwarz": declared(lambda deal: trumps(deal) and deal["standing"][2] == 0),
            "schneidered": declared(lambda deal: trumps(deal) and deal["standing"][0] <= game.rules["schneidered"]),
            "schwarzed": declared(lambda deal: trumps(deal) and deal["standing"][1] == 0),
            "overbid": declared(lambda deal: deal["result"].made and not is_won(deal)),
            "failed": declared(lambda deal: not deal["result"].made),
            "declared": declared(lambda deal: 1),
            "made": declared(is_won),
            "tricks": [sum(trick.winner == seat for deal in played for trick in deal["tricks"]) for seat in seats],
            "bid": declared(lambda deal: deal["bid"], highest),
            "game_value": declared(lambda deal: deal["result"].worth, highest),
            "skat_points": declared(lambda deal: points_of(found(deal))),
            "skat_jacks": declared(lambda deal: sum(card[0] == "J" for card in found(deal))),
        }
        row["declarer_points"] = []
        for seat in seats:
            mine = [deal["standing"][0] for deal in played if deal["soloist"] == seat and trumps(deal)]
            row["declarer_points"].append(sum(mine) if mine else MISSING)
        for name, has in (("with_jacks", True), ("without_jacks", False)):
            runs: list[int] = []
            for seat in seats:
                mine = [deal for deal in played if deal["soloist"] == seat and trumps(deal)]
                runs.append(highest([deal["result"].matadors for deal in mine if deal["result"].with_jack == has]))
            row[name] = runs

        def against(seat: int) -> list[dict[str, Any]]:
            return [deal for deal in played if seat not in (deal["soloist"], deal["out"])]

        row["defended"] = [len(against(seat)) for seat in seats]
        row["defence_won"] = [sum(not is_won(deal) for deal in against(seat)) for seat in seats]
        row["defence_points"] = [
            sum(points_of(trick.cards) for deal in against(seat) for trick in deal["tricks"] if trick.winner == seat)
            for seat in seats
        ]

        def total(*names: str) -> int:
            return sum(sum(row[name]) for name in names)  # type: ignore[arg-type]

        suits = ("spades", "hearts", "diamonds", "clubs")
        return row | {
            "games": len(played),
            "games_made": total("made"),
            "games_suit": total(*(f"played_{suit}" for suit in suits)),
            "suit_made": total(*(f"made_{suit}" for suit in suits)),
            "games_grand": total("played_grand"),
            "grand_made": total("made_grand"),
            "games_null": total("played_null"),
            "null_made": total("made_null"),
            "games_hand": total("hand_games"),
            "games_schneider": total("schneider", "schneidered"),
        }
