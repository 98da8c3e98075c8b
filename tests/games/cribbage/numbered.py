"""The reference in the numbers of the compiled game, and its row."""

from __future__ import annotations

from itertools import combinations

from .reference import PACK, Action, Cribbage, Rules

GO = 52
PLAY = {
    "peg_fifteen": "fifteens",
    "peg_thirty_one": "thirty_one",
    "peg_pairs": "pairs",
    "peg_runs": "runs",
    "peg_last": "last_card",
}
SHOWN = {"fifteen": "fifteens", "pairs": "pairs", "runs": "runs", "flush": "flush", "nobs": "nobs"}
COUNTED = {
    "peg_fifteen": "fifteens",
    "peg_thirty_one": "thirty_one",
    "pair": "alike 2",
    "pair_royal": "alike 6",
    "double_pair_royal": "alike 12",
    "run_of_three": "run 3",
    "run_of_four": "run 4",
    "run_of_five": "run 5",
    "run_of_six": "run 6",
    "run_of_seven": "run 7",
    **{name: name for name in ("last_card", "go", "heels", "bought")},
    **{f"hand_{name}": f"hand {name}" for name in ("flush", "nobs", "nothing", "twelve", "twenty")},
    **{f"crib_{name}": f"crib {name}" for name in ("flush", "nobs", "nothing", "twelve")},
    "repaid": "crib repaid",
}


class Numbered:
    """What `Pair` asks of a reference. The cards are dealt one at a time, from the dealer's left on."""

    def __init__(self, game: str, rules: Rules | None = None) -> None:
        self.game = Cribbage(game, rules)

    @property
    def over(self) -> bool:
        return self.game.over

    def phase(self) -> str:
        return self.game.step

    def actor(self) -> int:
        return self.game.turn

    def feed(self, deck: list[int]) -> None:
        cards = [PACK[code] for code in deck]
        players = self.game.players
        dealt = players * int(self.game.rules["cards"])
        self.game.deal([cards[place:dealt:players] for place in self.game.seats], cards[dealt])

    def apply(self, number: int) -> None:
        self.game.apply(self.words()[number])

    def points(self) -> list[int]:
        """What each seat has made so far."""
        return [self.game.total(seat % 2, seat=seat) for seat in self.game.seats]

    def words(self) -> dict[int, Action]:
        """What the numbers stand for now, legal or not."""
        if self.game.step == "bid":
            return {0: ("pass",)} | {points: ("bid", str(points)) for points in range(1, 64)}
        if self.game.step == "play":
            return {GO: ("go",)} | {code: ("play", card) for code, card in enumerate(PACK)}
        hand = sorted(self.game.hands[self.game.turn], key=PACK.index)
        # by the later of the places, then by the earlier
        places = sorted(combinations(range(len(hand)), self.game.give), key=lambda chosen: chosen[::-1])
        return {number: ("discard", *(hand[place] for place in chosen)) for number, chosen in enumerate(places)}

    def legal(self) -> set[int]:
        def plain(action: Action) -> tuple[str, frozenset[str]]:
            return action[0], frozenset(action[1:])

        legal = {plain(action) for action in self.game.legal()}
        return {number for number, action in self.words().items() if plain(action) in legal}

    def row(self) -> dict[str, int | list[int]]:
        """The row of the compiled game; points by seat, not by side."""
        game = self.game

        def by_seat(*what: tuple[str, str]) -> list[int]:
            return [
                sum(game.total(seat % 2, stage, source, seat) for stage, source in what or (("", ""),))
                for seat in game.seats
            ]

        first, second = game.scores
        winner = game.winner
        if winner is None and first != second:
            winner = int(second > first)
        won = [int(seat % 2 == winner) for seat in game.seats]
        points = by_seat()
        as_dealer = [sum(entry.points for entry in game.entries if entry.seat == s and entry.dealt) for s in game.seats]
        row: dict[str, int | list[int]] = {
            "points": points,
            "won": won,
            "value": [(first - second) * (-1) ** seat for seat in game.seats]
            if not game.target
            else [0 if winner is None else 2 * flag - 1 for flag in won],
            "winner_points": max(first, second),
            "loser_points": min(first, second),
            "margin": first - second,
            "deals": game.deals,
            "pegging": by_seat(("play", "")),
            "hand": by_seat(("hand", "")),
            "crib": by_seat(("crib", "")),
            "points_compensation": by_seat(("before", "")),
            "points_heels": by_seat(("heels", "")),
            "points_bid": by_seat(("bid", "")),
            "points_as_dealer": as_dealer,
            "points_otherwise": [total - dealt for total, dealt in zip(points, as_dealer)],
            "bids": [-paid for paid in by_seat(("bid", ""))],
            "best_hand": [game.best["hand", seat] for seat in game.seats],
            "best_crib": [game.best["crib", seat] for seat in game.seats],
        }
        if game.players == 4:
            row["side_points"] = [game.scores[seat % 2] for seat in game.seats]
        for name, source in PLAY.items():
            row["points_" + name] = by_seat(("play", source))
        for stage in ("hand", "crib"):
            for name, source in SHOWN.items():
                row[f"points_{stage}_{name}"] = by_seat((stage, source))
        for name, what in COUNTED.items():
            row["count_" + name] = [game.counts[what, seat] for seat in game.seats]
        return row
