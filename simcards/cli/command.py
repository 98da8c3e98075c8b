"""A command carried out: whatever goes wrong ends in one line and a status."""

from __future__ import annotations

import codecs
import contextlib
import os
import re
import sys
from collections.abc import Sequence
from typing import Any

from simcards.cli import BROKEN_PIPE, FAULT, INTERRUPTED, WRONG


def answer(args: Sequence[str]) -> int:
    """Carry out a command; what it says goes to the streams.

    Parameters
    ----------
    args : sequence of str
        The words behind ``simcards``.

    Returns
    -------
    int
        The status to end with.
    """
    _prepare_streams()
    from simcards.cli.output import ReaderGone

    try:
        status = _run(list(args))
        sys.stdout.flush()
    except (BrokenPipeError, ReaderGone):
        drop_output()
        return BROKEN_PIPE
    except OSError as error:
        if error.filename is not None:
            raise
        drop_output()
        return say(f"cannot write the output: {error.strerror or error}", FAULT)
    return status


def _plainly(error: UnicodeError) -> tuple[str, int]:
    """Write what an encoding lacks in other signs: a minus must not be lost."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    plain = {"−": "-", "±": "+-", "–": "-", "…": "...", "≤": "<=", "≥": ">=", "×": "x"}
    return "".join(plain.get(sign, "?") for sign in error.object[error.start : error.end]), error.end


def _prepare_streams() -> None:
    """Let there be streams, and let them write plainer signs where their encoding lacks one."""
    codecs.register_error("simcards", _plainly)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 -- until the end
        with contextlib.suppress(AttributeError, OSError, ValueError):
            getattr(sys, name).reconfigure(errors="simcards")


def drop_output() -> None:
    """Send what is left to be written nowhere, so that closing the stream at the end does not fail or wait."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(args: list[str]) -> int:
    import typer

    from simcards.cli.app import app
    from simcards.errors import SimcardsError, UsageError

    command = typer.main.get_command(app)
    if "_SIMCARDS_COMPLETE" in os.environ:
        command.main(args, prog_name="simcards")
    try:
        with command.make_context("simcards", args) as context:
            command.invoke(context)
    except typer.Exit as ended:
        return int(ended.exit_code)
    except typer.Abort:
        return say("interrupted", INTERRUPTED)
    except SimcardsError as error:
        return say(str(error), WRONG if isinstance(error, UsageError) else FAULT)
    except Exception as error:
        # Typer has its own errors from click, under a name that depends on its version.
        if not (hasattr(error, "format_message") and hasattr(error, "exit_code")):
            raise
        if type(error).__name__ == "NoArgsIsHelpError":
            print(error.format_message())
            return 0
        return say(_reason(error), WRONG)
    return 0


def _reason(error: Any) -> str:
    """Return what typer found wrong, in one line with the nearest right word."""
    from simcards.errors import nearest

    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "simcards"
    kind, text = type(error).__name__, str(error.format_message()).rstrip(".")
    if kind == "NoSuchOption":
        known = [name for parameter in context.command.params for name in parameter.opts] if context else []
        long = [name for name in [*known, "--help"] if name.startswith("--")]
        hint = nearest(error.option_name, long) or f"; '{path} --help' lists the options"
        return f"there is no option {error.option_name!r} of '{path}'{hint}"
    if kind == "MissingParameter":
        name = getattr(error.param, "metavar", None) or "an argument"
        return f"{name} is missing; '{path} --help' shows what is wanted"
    if kind == "UsageError" and (extra := re.match(r"Got unexpected extra arguments?(?:\(s\))? \((.*)\)", text)):
        return f"'{path}' has no use for {extra[1]!r}; '{path} --help' shows what is wanted"
    number = re.search(r"for '(.*?)'.*(?:valid (integer|number|float)|not a valid)", text)
    if number:
        wanted = "a whole number" if number[2] == "integer" or "integer" in text else "a number"
        return f"{number[1]} must be {wanted}"
    command = re.match(r"No such command '(.*?)'", text)
    if command:
        hint = nearest(command[1], context.command.commands) if context is not None else ""
        hint = hint or "; 'simcards --help' lists the commands"
        return f"there is no command {command[1]!r}{hint}"
    return text[:1].lower() + text[1:]


def flush() -> None:
    """Write out what is held back, where that is possible."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()


def say(text: str, status: int) -> int:
    """Say something in one line on standard error.

    Parameters
    ----------
    text : str
        What is said.
    status : int
        A status.

    Returns
    -------
    int
        The same status.
    """
    flush()
    with contextlib.suppress(OSError, ValueError):
        print(f"simcards: {' '.join(text.split())}", file=sys.stderr)
    return status
