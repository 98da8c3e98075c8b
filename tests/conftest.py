"""What holds for all tests."""

import signal

import pytest

from simcards.games.registry import rulesets


def pytest_configure(config):
    # a run in the background of a script ignores Ctrl-C, and so would all programs that are started to be interrupted
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_itemcollected(item):
    """Hand the tests out by file, those of the contract by game: what a worker has compiled and played serves the next.

    Rule sets of one module share what is compiled. Later than this the workers' plugin has already read the marks.
    """
    game = getattr(item, "callspec", None) and item.callspec.params.get("game_id")
    group = rulesets()[game].module if game in rulesets() else item.nodeid.partition("::")[0]
    item.add_marker(pytest.mark.xdist_group(group))
