"""Errors that a person can mend: one line that says what is wrong and what would be right."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class SimcardsError(Exception):
    """Base of every error the toolkit raises on purpose."""


class UsageError(SimcardsError, ValueError):
    """Input that cannot be used: the message is one line; the commands print it and exit with 2."""


def nearest(name: object, choices: Iterable[str]) -> str:
    """Return ``"; did you mean 'X'?"`` for the choice nearest to `name`, or ``""`` when none is near.

    Parameters
    ----------
    name : str
        What was typed.
    choices : iterable of str
        What would have been right.

    Returns
    -------
    str
        A clause to append to an error message.
    """
    typed = str(name).casefold().lstrip("-")
    folded = {choice.casefold().lstrip("-"): choice for choice in choices}
    for likely in difflib.get_close_matches(typed, list(folded), n=3, cutoff=0.5):
        # Whoever mistypes a word begins it right, as a rule: "precision" is not what "version" was to be.
        if likely[:1] == typed[:1] or difflib.SequenceMatcher(None, likely, typed).ratio() >= 0.75:
            return f"; did you mean {folded[likely]!r}?"
    return ""


def unknown(kind: str, name: object, choices: Iterable[str]) -> UsageError:
    """Make the error for a name that is not among `choices`.

    Parameters
    ----------
    kind : str
        What was asked for, such as ``"game"`` or ``"rule of bezique"``; the name stands behind the first word.
    name : str
        What was typed.
    choices : iterable of str
        What would have been right.

    Returns
    -------
    UsageError
        To be raised by the caller.
    """
    known = list(choices)
    hint = nearest(name, known)
    if not hint:
        shown = ", ".join(known[:12]) + (", …" if len(known) > 12 else "")
        hint = f"; known: {shown}" if known else ""
    what, blank, where = kind.partition(" ")
    return UsageError(f"there is no {what} {name!r}{blank}{where}{hint}")
