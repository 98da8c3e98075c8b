"""Positions of bezique for three and four in words. What is said of several players begins with the one who asks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from simcards.errors import UsageError, unknown
from simcards.games.bezique.frame import TEN, TYPES, reply_wins
from simcards.games.bezique.ledger import FOUR
from simcards.games.bezique.many_melds import SHOW
from simcards.games.bezique.position import STAGES, counts_text, grouped_text
from simcards.games.bezique.position_games import Turned
from simcards.games.bezique.position_open import Guess, any_split, check_total
from simcards.games.bezique.position_tables import Style, highest, lay_table, read_table, table_text
from simcards.games.bezique.position_texts import mask_of
from simcards.games.bezique.text import FOURS
from simcards.games.ruleset import RuleSet

_FOURS = {name.removeprefix("four "): FOUR + k for k, name in enumerate(FOURS)}
_BETWEEN = re.compile(r"/(?![^(]*\))")  # a slash that is not within the marks of a card
_AT_END = 2  # value of the rule on brisques


def _lists_text(texts: Sequence[str]) -> str:
    return " / ".join(texts).strip() if any(texts) else ""


def _numbers_text(numbers: Sequence[Any]) -> str:
    return " - ".join(str(int(number)) for number in numbers)


class Many(Turned):
    """Reads one position of bezique for three or four."""

    keys: tuple[str, ...] = (
        *("seat", "phase", "hand", "table", "other tables", "known", "shown", "trump", "turn-up", "led", "stock"),
        *("played", "points", "tricks", "brisques", "due", "sevens", "declared", "taken", "drawn", "combinations"),
        "deal",
    )
    more: tuple[str, ...] = ()
    style = Style(reforms=False)
    declarations: Mapping[str, int] = _FOURS

    def __init__(self, ruleset: RuleSet, phases: tuple[str, ...], values: Mapping[str, str], views: np.ndarray) -> None:
        super().__init__(ruleset, phases, values, views)
        self.pack = ruleset.pack_under({"remove_eights": int(self.rules["remove_eights"])})
        self.players = ruleset.players
        self.start = self.pack.size - self.players * self.size
        self.partners = bool(self.rules["partnership"])

    def lists(self, key: str, first: int) -> list[str]:
        """Return a text for each player; there is none for those before `first`."""
        parts = _BETWEEN.split(self.values[key]) if key in self.values else []
        if len(parts) > self.players - first:
            raise UsageError(
                f"{key}: one list of cards a player, with / between them, {self.players - first} at most,"
                f" not {len(parts)}"
            )
        return [""] * first + parts + [""] * (self.players - first - len(parts))

    def read_cards(self) -> None:
        """Read the cards that are named, and the phase."""
        phase = self.values.get("phase", "lay" if "declared" in self.values else "play").casefold()
        if phase not in self.phases:
            raise unknown(f"phase of {self.ruleset.id}", phase, self.phases)
        self.phase = phase
        self.between = phase != "play"
        self.hand, self.shown, self.played = self.cards("hand"), self.cards("shown"), self.cards("played")
        texts = [self.values.get("table", ""), *self.lists("other tables", 1)[1:]]
        self.tables = []
        for side, text in enumerate(texts):
            key = "other tables" if side else "table"
            self.tables.append(read_table(self, key, text, self.style, self.levels()))
            if len(self.tables[-1]) > self.size:
                raise UsageError(f"{key}: {len(self.tables[-1])} cards; a player has at most {self.size}")
        self.known_of = [self.cards_in("known", text) for text in self.lists("known", 1)]
        self.trick = self.cards("led")
        self.led = self.trick[0] if self.trick else -1
        if not self.hand and not self.tables[0]:
            raise UsageError("a position says what the player holds, as in 'hand: QS JD KH'")
        if phase != "lay" and ("declared" in self.values or "taken" in self.values):
            raise UsageError(f"declared and taken belong to the phase 'lay', not to {phase!r}")
        if self.trick and self.between:
            raise UsageError(f"no card is led in the phase {phase!r}, which comes between two tricks")
        if len(self.trick) >= self.players:
            raise UsageError(f"led: at most {self.players - 1} cards have been played before the player's")
        missing = Counter(self.shown) - Counter(self.hand)
        if missing:
            raise UsageError(f"shown: {self.pack.text(next(iter(missing)))} is not in the hand")

    def count_cards(self) -> None:
        """Find out how many cards there are in the stock, with the others, and played."""
        count = len(self.hand) + len(self.tables[0])
        if count > self.size:
            raise UsageError(f"hand and table hold {count} cards together; a player has at most {self.size}")
        left = self.start % self.players  # cards that nobody gets
        stock = self.number("stock", left, self.start)
        if stock is None:
            if not self.between and count < self.size:
                stock = left
            elif "played" in self.values:
                stock = self.start + self.players * self.between - len(self.played)
                if len(self.played) % self.players:
                    raise UsageError(
                        f"played: {len(self.played)} cards, but tricks have {self.players}; those of this trick are"
                        " given as 'led'"
                    )
                if stock < left:
                    raise UsageError(
                        f"played: {len(self.played)} cards, but a player with {count} has seen at most"
                        f" {self.start - left}"
                    )
            else:
                stock = self.start
        if stock % self.players != left:
            over = f", and {left} are left over" if left else ""
            raise UsageError(f"stock: {self.players} cards are drawn at a time{over}, so it is not {stock}")
        self.stock, self.draws = stock, stock // self.players
        if not self.draws and self.between:
            raise UsageError(f"the phase {self.phase!r} does not fit: nothing is declared when the stock is gone")
        full = self.size - self.between
        if self.draws and count != full:
            when = f"in the phase {self.phase!r}" if self.between else f"with {stock} cards in the stock"
            raise UsageError(f"hand and table hold {count} cards together; a player {when} has {full}")
        if not self.draws and any(self.tables):
            raise UsageError("the tables are empty when the stock is gone: all cards are in the hands again")
        # the last to have played sits to the player's right
        self.hidden_of = [
            count - (side > 0 and side >= self.players - len(self.trick)) - len(self.tables[side])
            for side in range(self.players)
        ]
        for side in range(1, self.players):
            if self.hidden_of[side] < len(self.known_of[side]):
                named = len(self.known_of[side]) + len(self.tables[side])
                theirs = self.hidden_of[side] + len(self.tables[side])
                raise UsageError(f"known and other tables name {named} cards of one player, who has {theirs}")
        rounds = self.start // self.players
        self.tricks = rounds - self.draws + self.between if self.draws else rounds + self.size - count
        self.unnamed = self.players * self.tricks - len(self.played)
        if self.unnamed < 0:
            raise UsageError(
                f"played: {len(self.played)} cards, but with {stock} cards in the stock and {count} with the player"
                f" it is {self.players * self.tricks}"
            )

    def located(self) -> Counter[int]:
        """Count the cards that were named, wherever they are."""
        tables = [slot.card for table in self.tables for slot in table]
        known = [card for cards in self.known_of for card in cards]
        return Counter([*self.hand, *tables, *known, *self.played, *self.trick])

    def place(self) -> None:
        """Say whose turn it is, and where everything lies."""
        seats, players = self.ruleset.seats, self.players
        seat = self.word("seat", seats)
        if self.tricks == 0 and self.draws:
            right = seats[len(self.trick)]
            if seat not in (None, right):
                raise UsageError(
                    f"at the first trick {seats[0]} leads, so with {len(self.trick)} cards led it is the turn of"
                    f" {right}"
                )
            seat = right
        deal = self.number("deal", 1, 10_000) or 1
        if deal > 1 and not self.rules["target"]:
            raise UsageError("deal: there is only one, unless the unit is a game of several deals")
        self.deal, self.pone = deal, (deal - 1) % players
        self.me = (seats.index(seat or seats[0]) + self.pone) % players
        leader = (self.me - len(self.trick) + (2 if self.read_leader() else 0)) % players
        common = self.view["common"]
        common["deals"], common["pone"], common["winner"] = deal, self.pone, -1
        common["stage"], common["turn"], common["leader"] = STAGES[self.phase], self.me, leader
        common["stock"], common["draws"] = self.stock, self.draws
        common["trump"], common["turn_up"] = self.trump, self.turn_up
        common["trick"] = self.tricks + (deal - 1) * (self.start // players + self.size)
        common["led"] = common["best"] = common["ahead"] = common["played"] = common["pair"] = -1
        for k, card in enumerate(self.trick):
            player = (leader + k) % players
            common["played"][player] = card
            if k == 0 or reply_wins.py_func(int(common["best"]), card, self.trump):
                common["best"], common["ahead"] = card, player
        common["led"] = self.led
        for card in [*self.played, *self.trick]:
            common["seen"][card] += 1
        self.view["seat"] = self.me
        self.view["choice"]["declared"] = -1
        own = self.view["own"]
        for card in self.hand:
            own["hand"][card] += 1
        own["mask"] = mask_of(set(self.hand))
        own["drawn"] = self.card("drawn")
        for side in range(players):
            public = self.view["public"][side]
            public["cards"] = self.hidden_of[side]
            for card in self.known_of[side] if side else self.shown:
                public["shown"][card] += 1

    def read_leader(self) -> bool:
        """Return whether the partner has won the trick after which the player declares."""
        return False

    def read_scores(self) -> None:
        """Read points, tricks, and aces and tens won."""
        points = self.numbers("points", self.players)
        if points is None and self.tricks:
            self.assumed.append("no points so far")
        points = points or [0] * self.players
        target = int(self.rules["target"])
        for side in range(self.players):
            together = points[side] + (points[side ^ 2] if self.partners else 0)
            if 0 < target <= together:
                whose = "partners with" if self.partners else "whoever has"
                raise UsageError(f"points: {whose} {together} points have won, since {target} win the game")
        played = int(self.view["common"]["trick"])
        tricks = self.numbers("tricks", self.players)
        if tricks is None:  # they do not matter; whoever leads has not fewer than the others
            tricks = [played // self.players] * self.players
            leader = (int(self.view["common"]["leader"]) - self.me) % self.players
            for k in range(played % self.players):
                tricks[(leader + k) % self.players] += 1
        if sum(tricks) != played:
            raise UsageError(f"tricks: {', '.join(map(str, tricks[:-1]))} and {tricks[-1]}, but {played} were played")
        brisques = self.numbers("brisques", self.players) or [0] * self.players
        most = 8 * int(self.rules["packs"]) * self.deal
        if sum(brisques) > most:
            raise UsageError(f"brisques: {sum(brisques)} together, but there were no more than {most}")
        for side in range(self.players):
            public = self.view["public"][side]
            public["points"], public["tricks"], public["brisques"] = points[side], tricks[side], brisques[side]

    def lay_tables(self) -> None:
        """Put the cards on the tables; partners count their combinations together."""
        said = self.numbers("combinations", self.players)
        publics = self.view["public"]
        for side in range(self.players):
            key = "other tables" if side else "table"
            lay_table(publics[side], self.tables[side], self.style, key, self.trump, None, self.pack)
        shown = [int(publics[side]["combinations"]) for side in range(self.players)]
        if self.partners:
            shown = [max(shown[side], shown[side ^ 2]) for side in range(self.players)]
        for side, number in enumerate(said or shown):
            if number < shown[side]:
                raise UsageError(
                    f"combinations: {number}, but the table shows a combination with the number {shown[side]}"
                )
            publics[side]["combinations"] = number

    def read_rest(self) -> None:
        """Read which sevens of trumps have scored."""
        seven = 8 * self.trump
        sevens = self.numbers("sevens", self.players) or [0] * self.players
        mine = self.hand.count(seven)
        if sevens[0] > mine:
            raise UsageError(f"sevens: {sevens[0]} of trumps in the hand cannot have been scored, it has {mine}")
        for side, number in enumerate(sevens):
            if side and number > self.hidden_of[side]:
                raise UsageError(f"sevens: a player with {self.hidden_of[side]} cards cannot hold {number} of trumps")
            self.view["common"]["scored_sevens"][(self.me + side) % self.players] = number
        if sum(sevens) > self.pack.copies:
            raise UsageError(
                f"sevens: there are {self.pack.copies} of trumps, so {sum(sevens)} cannot have been scored"
            )

    def values_of(self) -> list[int]:
        """Return what is due for each card at the end of the deal."""
        due = int(self.rules["brisque"]) if int(self.rules["brisques"]) == _AT_END else 0
        return [due if card & 7 >= TEN else 0 for card in range(TYPES)]

    def write_due(self, views: np.ndarray, won: np.ndarray) -> None:
        """Add what is due to each."""
        views["due"][:, : self.players] += won

    def unknown(self) -> Guess:
        """Say what is to be drawn at random, and whether what is said to be due can be."""
        values = self.values_of()
        said = self.numbers("due", self.players)
        named = sum(values[card] for card in self.played)
        split = any_split()
        if said is not None:
            if int(self.rules["brisques"]) != _AT_END:
                raise UsageError("due: aces and tens are counted at the end of the deal with the rule brisques=at_end")
            split = check_total("due", said, named, self.pool(), values, self.unnamed, "points for aces and tens")
            self.write_due(self.views, np.array([said]))
        if self.unnamed:
            gone = self.players * self.tricks
            share = f"the {gone}" if self.unnamed == gone else f"{self.unnamed} of the {gone}"
            self.assumed.append(f"{share} cards played were not named: drawn at random in each world")
        open_ = said is None and any(values) and (self.unnamed > 0 or named > 0)
        if open_:
            self.assumed.append("aces and tens played went to any player at random in each world")
        won = self.write_due if open_ else None
        return Guess(self.unnamed, self.pack.counts().tolist(), values, self.trick, split, won, self.players)

    @classmethod
    def written(cls, ruleset: RuleSet, phases: tuple[str, ...], view: Any) -> dict[str, str]:
        """Write a view so that it is read as the same."""
        pack, common = ruleset.pack, view["common"]
        players, me, pone, leader = (
            ruleset.players,
            int(view["seat"]),
            int(common["pone"]),
            int(common["leader"]),
        )
        publics = [view["public"][side] for side in range(players)]
        trick = [int(common["played"][(leader + k) % players]) for k in range(players)]
        trick = [card for card in trick if card >= 0]
        seen = [int(number) for number in common["seen"]]
        for card in trick:
            seen[card] -= 1
        drawn, stage = int(view["own"]["drawn"]), int(common["stage"])
        sevens = [int(common["scored_sevens"][(me + side) % players]) for side in range(players)]
        due = view["due"][:players]
        brisques = [int(public["brisques"]) for public in publics]
        said = {
            "seat": ruleset.seats[(me - pone) % players],
            "phase": next(name for name in phases if STAGES[name] == stage),
            "hand": counts_text(pack, view["own"]["hand"]),
            "table": table_text(pack, publics[0], cls.style),
            "shown": counts_text(pack, publics[0]["shown"]),
            "other tables": _lists_text([table_text(pack, public, cls.style) for public in publics[1:]]),
            "known": _lists_text([counts_text(pack, public["shown"]) for public in publics[1:]]),
            "trump": pack.suits[int(common["trump"])],
            "turn-up": pack.text(int(common["turn_up"])),
            "led": " ".join(pack.text(card) for card in trick),
            "stock": str(int(common["stock"])),
            "played": grouped_text(pack, seen),
            "points": _numbers_text([public["points"] for public in publics]),
            "tricks": _numbers_text([public["tricks"] for public in publics]),
            "brisques": _numbers_text(brisques) if any(brisques) else "",
            "due": _numbers_text(due) if int(view["rules"]["brisques"]) == _AT_END else "",
            "sevens": _numbers_text(sevens) if any(sevens) else "",
            "drawn": pack.text(drawn) if drawn >= 0 else "",
            "deal": str(int(common["deals"])) if int(common["deals"]) > 1 else "",
        }
        declared = int(view["choice"]["declared"])
        if declared >= 0:
            action = declared + (SHOW if int(common["showing"]) else 0)
            said["declared"] = next(name for name, code in cls.declarations.items() if code == action)
            cards = [int(view["choice"]["type"][k]) for k in range(int(view["choice"]["count"]))]
            said["taken"] = " ".join(pack.text(card) for card in cards)
        numbers = [highest(public["table"], int(public["laid"])) for public in publics]
        if int(view["rules"]["partnership"]):
            numbers = [max(numbers[side], numbers[side ^ 2]) for side in range(players)]
        scored = [int(public["combinations"]) for public in publics]
        said["combinations"] = _numbers_text(scored) if scored != numbers else ""
        return said


class Four(Many):
    """Bezique for four, who may play as partners."""

    more: tuple[str, ...] = ("leader", "done", "pair")
    declarations: Mapping[str, int] = _FOURS | {f"show {name}": SHOW + action for name, action in _FOURS.items()}

    def read_leader(self) -> bool:
        """Return whether the partner has won the trick after which the player declares."""
        said = self.word("leader", ("me", "partner"))
        if said is None:
            return False
        if not self.partners:
            raise UsageError("leader: there are no partners, so only who won the trick declares")
        if not self.between:
            raise UsageError(f"leader: it is said in the phases 'declare' and 'lay', not in {self.phase!r}")
        return said == "partner"

    def read_rest(self) -> None:
        """Read what partners have done since the last trick, and how they play after they have parted."""
        super().read_rest()
        common = self.view["common"]
        done = self.values.get("done", "").casefold().replace(",", " ").split()
        for word in done:
            if word not in ("scored", "shown"):
                raise UsageError(f"done: scored, shown or both, not {self.values['done']!r}")
        if done and not (self.partners and self.between):
            raise UsageError("done: it says what partners have done between two tricks: 'scored', 'shown' or both")
        common["scored"], common["shown"] = "scored" in done, "shown" in done
        if common["scored"] and int(common["leader"]) == self.me:
            raise UsageError("done: who has scored is not asked again; the partner is, with 'leader: partner'")
        if common["shown"] and not self.rules["showing"]:
            raise UsageError("done: nothing is shown with the rule showing=no")
        self.read_pair(common)

    def read_pair(self, common: Any) -> None:
        """Read who won the trick before the last eight, after which the partners part."""
        part = self.partners and self.rules["regroup_last_eight"] and not self.draws
        said = self.word("pair", self.ruleset.seats)
        if said and not part:
            raise UsageError("pair: partners part only for the last eight tricks, with the rule regroup_last_eight=yes")
        if not part:
            return
        if len(self.hand) == self.size:  # nobody has led since but who won it
            winner = int(common["leader"])
            if said and (self.ruleset.seats.index(said) + self.pone) % self.players != winner:
                raise UsageError(f"pair: {said!r} does not fit, since who won that trick leads now")
        elif said is None:
            raise UsageError("pair: say who won the trick before the last eight, as in 'pair: first'")
        else:
            winner = (self.ruleset.seats.index(said) + self.pone) % self.players
        common["pair"] = winner

    def read_choice(self, guess: Guess | None) -> None:
        """Take the cards of a four that were chosen already."""
        super().read_choice(guess)
        named = self.values["declared"].casefold()
        self.view["common"]["showing"] = named.startswith("show")

    @classmethod
    def written(cls, ruleset: RuleSet, phases: tuple[str, ...], view: Any) -> dict[str, str]:
        """Write a view so that it is read as the same."""
        said = super().written(ruleset, phases, view)
        common, me = view["common"], int(view["seat"])
        if said["phase"] != "play" and int(common["leader"]) != me:
            said["leader"] = "partner"
        said["done"] = " ".join(word for word in ("scored", "shown") if int(common[word]))
        if int(common["pair"]) >= 0:
            said["pair"] = ruleset.seats[(int(common["pair"]) - int(common["pone"])) % ruleset.players]
        return said
