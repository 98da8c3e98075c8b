"""The reference in the numbers of the compiled game, and its row."""

from __future__ import annotations

from typing import Any

from simcards.kernel.protocol import MISSING

from .reference import MARRIAGES, PACK, Action, Rules, Thousand

ANNOUNCE = 24
PHASES = {"discard": "exchange", "give": "exchange"}


class Numbered:
    """What `Pair` asks of a reference. Hands are dealt one after the other, forehand's first."""

    def __init__(self, game: str, rules: Rules | None = None) -> None:
        self.game = Thousand(game, rules)

    @property
    def over(self) -> bool:
        return self.game.over

    def phase(self) -> str:
        return PHASES.get(self.game.step, self.game.step)

    def actor(self) -> int:
        return self.game.turn

    def feed(self, deck: list[int]) -> None:
        game = self.game
        cards = [PACK[code] for code in deck]
        size = int(game.rules["hand"])
        hands = [cards[place * size : (place + 1) * size] for place in game.seats]
        rest = cards[size * game.players :]
        sizes = game.sizes or (len(rest),)
        game.deal(hands, [rest[sum(sizes[:place]) : sum(sizes[: place + 1])] for place in range(len(sizes))])

    def apply(self, number: int) -> None:
        self.game.apply(self.words()[number])

    def words(self) -> dict[int, Action]:
        """What the numbers stand for now, legal or not."""
        game = self.game
        step = game.step
        if step == "look":
            return {0: ("stay",), 1: ("look",)}
        if step == "packet":
            return {0: ("packet", "0"), 1: ("packet", "1")}
        if step in ("discard", "give"):
            return {code: (step, card) for code, card in enumerate(PACK)}
        if step == "play":
            plays: dict[int, Action] = {code: ("play", card) for code, card in enumerate(PACK)}
            return plays | {ANNOUNCE + code: ("marriage", card) for code, card in enumerate(PACK)}
        bids: dict[int, Action] = {
            number: (step, str(int(game.rules["first_bid"]) + (number - 1) * int(game.rules["step"])))
            for number in range(1, 64)
        }
        if step == "bid":
            return {0: ("pass",)} | bids
        standing = ("raise", str(game.bid))
        return {0: standing} | {number: action for number, action in bids.items() if action != standing}

    def legal(self) -> set[int]:
        legal = self.game.legal()
        numbers = {number for number, action in self.words().items() if action in legal}
        if self.game.step == "discard":  # two cards are laid away in the order of their numbers
            packet = self.game.packets[self.game.opened or 0]
            numbers = {n for n in numbers if n > PACK.index(packet[0])} if packet else numbers - {max(numbers)}
        return numbers

    def points(self) -> list[int]:
        return list(self.game.scores)

    def row(self) -> dict[str, int | list[int]]:
        game = self.game
        seats = game.seats
        deals: list[dict[str, Any]] = game.history
        best = max(game.scores)
        winner = game.winner
        if not game.target and game.scores.count(best) == 1:
            winner = game.scores.index(best)
        row: dict[str, int | list[int]] = {
            "points": list(game.scores),
            "value": [game.players * game.scores[seat] - sum(game.scores) for seat in seats],
            "won": [int(seat == winner) for seat in seats],
            "winner_points": best,
            "loser_points": min(game.scores),
            "tricks": [sum(t.winner == seat for deal in deals for t in deal["tricks"]) for seat in seats],
            "both_over": game.several,
            "deals": game.deals,
        }
        if game.players == 2:
            row["margin"] = game.scores[0] - game.scores[1]
        announced = [marriage for deal in deals for marriage in deal["married"]]
        for suit, name in MARRIAGES.items():
            tricks = [[trick for owner, s, trick in announced if (owner, s) == (seat, suit)] for seat in seats]
            row["count_" + name] = [len(found) for found in tricks]
            row["first_" + name] = [found[0] if found else MISSING for found in tricks]
        row["marriages"] = [sum(owner == seat for owner, _, _ in announced) for seat in seats]
        cards = [sum(deal["made"][seat][0] for deal in deals) for seat in seats]
        marriages = [sum(deal["made"][seat][1] for deal in deals) for seat in seats]
        if not game.sizes:
            return row | {"points_cards": cards, "points_marriages": marriages}
        row |= {"card_points": cards, "marriage_points": marriages}
        row["marriages_held"] = [sum(deal["held"][seat] for deal in deals) for seat in seats]

        def declared(what: Any, total: Any = sum) -> list[int]:
            return [total([int(what(deal)) for deal in deals if deal["bidder"] == seat]) for seat in seats]

        def defence(part: int) -> list[int]:
            return [sum(deal["made"][seat][part] for deal in deals if deal["bidder"] != seat) for seat in seats]

        row |= {
            "declared": declared(lambda deal: 1),
            "contract": declared(lambda deal: deal["bid"], lambda bids: max(bids, default=MISSING)),
            "made": declared(lambda deal: deal["contract"]),
            "failed": declared(lambda deal: not deal["contract"]),
            "declarer_points": declared(lambda deal: sum(deal["made"][deal["bidder"]]) + deal["packets"]),
            "raised": declared(lambda deal: deal["raised"] > 0),
            "raised_by": declared(lambda deal: deal["raised"]),
            "talon_points": declared(lambda deal: deal["talon"]),
            "talon_marriages": declared(lambda deal: deal["gained"]),
            "sweeps": declared(lambda deal: {trick.winner for trick in deal["tricks"]} == {deal["bidder"]}),
            "blind": declared(lambda deal: deal["blind"]),
            "points_made": declared(lambda deal: deal["bid"] * deal["contract"]),
            "points_failed": declared(lambda deal: -deal["bid"] * (not deal["contract"])),
            "points_defence_cards": defence(0),
            "points_defence_marriages": defence(1),
            "points_doubled": [sum(deal["written"][seat] // 2 for deal in deals if deal["blind"]) for seat in seats],
        }
        if len(game.sizes) == 2:
            row["packet_points"] = declared(lambda deal: deal["packets"])
        return row
