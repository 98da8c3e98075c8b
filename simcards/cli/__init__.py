"""The commands: ``simcards games``, ``simcards play rubicon-bezique`` and so on.

As little as possible is imported before `main` can catch an interrupt.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

INTERRUPTED = 130
BROKEN_PIPE = 141
WRONG = 2
FAULT = 1


def main(args: "Sequence[str] | None" = None) -> int:
    """Carry out a command.

    Parameters
    ----------
    args : sequence of str, optional
        The words behind ``simcards``; those of the command line if left out.

    Returns
    -------
    int
        0; 2 when something typed was wrong (one line on standard error says what); 1 when a strategy was at
        fault; 130 after an interrupt, where the process ends here if the words are those of its command line.
    """
    interrupted = False
    try:
        if args is None:
            sys.unraisablehook = _repeated
        from simcards.cli.command import answer

        status = answer(sys.argv[1:] if args is None else args)
    except BaseException as error:
        if not _is_interrupt(error):
            raise
        status, interrupted = INTERRUPTED, True
    if args is None:
        import signal

        signal.signal(signal.SIGINT, signal.SIG_IGN)  # all that is left is to end
    return _ended(status, interrupted, args is None)


def _is_interrupt(error: BaseException | None) -> bool:
    """Return whether an error is an interrupt or came of one: Python makes others of it while classes are made."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _repeated(unraisable: "sys.UnraisableHookArgs") -> None:
    """Press Ctrl-C again where it came into a callback, from which it cannot be raised: it would be lost."""
    if not issubclass(unraisable.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(unraisable)
        return
    import _thread
    import time

    def press() -> None:
        time.sleep(0.01)
        _thread.interrupt_main()

    _thread.start_new_thread(press, ())


def _ended(status: int, interrupted: bool, really: bool) -> int:
    """Say what is left to be said, and end the process at once where it would not end well by itself."""
    import os

    from simcards.cli.command import drop_output, flush, say

    if interrupted:
        if really:
            drop_output()  # the rest of what was being written may wait for a reader for ever
        say("interrupted", INTERRUPTED)
    aside: Any = sys.modules.get("simcards.study.aside")  # not there where nothing was compiled
    left = aside is not None and aside.left()
    if left and aside.endless():
        say("what was still being played was given up", status)
    if left or (really and status == INTERRUPTED):
        # Otherwise the interpreter would wait for compiled code, or end by the signal in place of the status
        flush()
        os._exit(status)
    return status
