"""What the actions and the fields of a view mean, for those who write strategies for the bezique family."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

CARD = "8 * suit + rank with the suits S H D C and the ranks 7 8 9 J Q K T A, both from 0"

ACTIONS = MappingProxyType(
    {
        "knock": "0: goes on; 1: knocks",
        "show": "0: does not show; 1: shows carte blanche, or the drawn card that keeps it up",
        "declare": (
            "0: nothing; 1 to 4: marriage in S H D C; 5 to 8: sequence in S H D C; 9 to 12: bezique, double, triple, "
            "quadruple; 13 to 16: four aces, kings, queens, jacks"
        ),
        "lay": f"0 to 31: the next card for the four that was declared, {CARD}",
        "play": f"0 to 31: plays this card from the hand, {CARD}; 32 to 63: the same card, from the table",
        "take": "0: declines the points for the last trick; 1: takes them",
    }
)
EXCHANGE = "; 17: exchanges the seven of trumps for the turn-up"
SHOW = "; 18 to 33: the declarations 1 to 16, laid without being scored"
TRUMP_FOURS = "; 18 to 22: four aces, tens, kings, queens, jacks of trumps"

_FIELDS = {
    "rules": "the rules in force, a field each; one whose values are words holds the place of the word, from 0",
    "seat": "the player's number, 0 or 1; the pone of the first deal is 0",
    "common": "what lies between the players",
    "common.seen": "for each card how many were played to tricks in this deal",
    "common.stage": "1: show, 2: declare, 3: lay, 4: play, 6: take",
    "common.turn": "number of the player who decides",
    "common.leader": "number of the player who leads, or led, the trick",
    "common.led": "the card led; -1 before the lead",
    "common.trump": "suit of trumps; -1 while there is none",
    "common.stock": "cards still to be drawn",
    "common.trick": "tricks played so far",
    "common.pone": "number of the player who led first in this deal",
    "common.turn_up": "the card turned up; -1 where there is none",
    "common.scored_sevens": "for each player number the sevens of trumps in the hand that have scored already",
    "common.deals": "number of the deal in the game, from 1",
    "common.winner": "number of the player who has won; -1 while nobody has",
    "public": "what both know: [0] of the player, [1] of the opponent",
    "public.table": "the declared cards on the table, in the order in which they were laid; the first `laid` count",
    "public.table.type": "the card",
    "public.table.used": (
        "what it was scored in, a sum of 1 marriage, 2 four, 4 * level of bezique, 32 sequence, 64 four of trumps"
    ),
    "public.table.marriage": "number of the marriage it lies in; 0: none, or broken",
    "public.table.sequence": "number of the sequence it lies in; 0: none, or broken",
    "public.table.bezique": "number of the bezique it lies in; 0: none, or broken",
    "public.table.four": "number of the four it lies in; 0: none, or broken",
    "public.shown": "for each card how many the other player knows to be in the hand",
    "public.table_mask": "bit c: card c lies on the table",
    "public.credit": "bit r: a further card allows the four of rank r to be scored once more (`reform`)",
    "public.laid": "cards on the table",
    "public.combinations": "combinations scored in this deal",
    "public.chain": "1: carte blanche was shown and may go on",
    "public.cards": "cards in the hand, without those on the table",
    "public.points": "the score",
    "public.tricks": "tricks won so far",
    "public.brisques": "aces and tens won so far",
    "own": "what only the player knows",
    "own.hand": "for each card how many are in the hand",
    "own.mask": "bit c: card c is in the hand",
    "own.drawn": "the card drawn last; -1 before the first",
    "own.may_show": "whether carte blanche can be shown: 0 no, 1 yes",
    "choice": "the cards taken so far for a four, in the phase lay",
    "choice.declared": "the declaration, an action of the phase declare; -1 when there is none",
    "choice.count": "cards taken so far",
    "choice.type": "the cards; the first `count` count",
    "choice.place": "where each lies: its place on the table, or 200 for the hand",
    "deal_brisques": "aces and tens won in this deal: [0] by the player, [1] by the opponent",
}

# What is different where more than two play
MANY_HANDED = MappingProxyType(
    {
        "seat": "the player's number, from 0; who leads first in the first deal is 0",
        "common.played": "for each player number the card he has played to this trick; -1 while there is none",
        "common.best": "the card that wins this trick so far; -1 before the lead",
        "common.ahead": "number of the player who played it; -1 before the lead",
        "common.stock": "cards in the stock, the turn-up among them; two that nobody gets may be left over",
        "common.draws": "how often each player will still draw; 0 in the last eight tricks",
        "common.scored": "1: somebody has scored after this trick",
        "common.shown": "1: somebody has shown a combination after this trick without scoring it",
        "common.showing": "1: the cards being taken for a four are for one that is not scored",
        "common.pair": "number of the player whose left neighbour is his partner for the last eight tricks; -1: nobody",
        "public": "what all know: [0] of the player, then of the others to the left",
        "public.shown": "for each card how many the other players know to be in the hand",
        "due": "points for aces and tens still to be counted at the end of the deal: [0] the player's, then others'",
    }
)


def actions(
    phases: Iterable[str], exchange: bool, trump_fours: bool = False, show: bool = False
) -> MappingProxyType[str, str]:
    """Return what the actions mean in each phase.

    Parameters
    ----------
    phases : iterable of str
        The phases of the game.
    exchange : bool
        Whether the seven of trumps can be exchanged.
    trump_fours : bool
        Whether four cards of a rank and of trumps score on their own.
    show : bool
        Whether combinations can be laid without being scored.

    Returns
    -------
    mapping
        Phase to text.
    """
    made = {phase: ACTIONS[phase] for phase in phases}
    made["declare"] += (EXCHANGE if exchange else "") + (TRUMP_FOURS if trump_fours else "")
    made["declare"] += SHOW if show else ""
    return MappingProxyType(made)


def fields(leave: Iterable[str] = (), own: Mapping[str, str] = MappingProxyType({})) -> MappingProxyType[str, str]:
    """Return what the fields of a view mean.

    Parameters
    ----------
    leave : iterable of str
        Fields that the game does not have.
    own : mapping
        Fields that only this game has, or that mean something else in it.

    Returns
    -------
    mapping
        Path of the field, such as ``"common.led"``, to text.
    """
    left = set(leave)
    return MappingProxyType({**{path: doc for path, doc in _FIELDS.items() if path not in left}, **own})
