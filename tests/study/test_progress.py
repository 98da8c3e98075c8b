from __future__ import annotations

import io
import sys
import time

import pytest

from simcards.study import aside, progress
from simcards.study.engine import Progress

NOTICE = "compiling whist (only the first time on this machine)"


class Screen(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def compiling(monkeypatch):
    """Compile for so many seconds."""
    state = aside.Compilation()
    monkeypatch.setattr(aside, "compilation", lambda: state)
    monkeypatch.setattr(progress, "_SILENCE", 0.3)
    monkeypatch.setattr(progress, "_BLINK", 0.3)

    def compile(seconds):
        state.begin()
        time.sleep(seconds)
        state.end()

    return compile


def test_without_a_terminal_one_line_says_why_nothing_happens(compiling, capsys):
    with progress.shown("whist", show=True) as tell:
        compiling(0.6)
        compiling(0.6)
        tell(Progress(10, 10, 1.0, 10.0, 0.0))
        compiling(0.6)
    assert capsys.readouterr().err == f"{NOTICE}\nwhist: 10 of 10 deals, 10/s\n"


@pytest.mark.parametrize(("seconds", "show"), [(0.1, True), (0.6, False), (0.6, None)])
def test_nothing_is_said_of_what_is_short_or_not_to_be_shown(compiling, capsys, seconds, show):
    with progress.shown("whist", show=show):
        compiling(seconds)
    with progress.waiting("whist", "measuring", show=show):
        compiling(seconds)
    time.sleep(0.4)
    assert capsys.readouterr().err == ""


def test_on_a_terminal_the_notice_gives_way_to_the_bar(compiling, monkeypatch):
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm")
    with progress.shown("whist") as tell:
        time.sleep(0.2)
        before = screen.getvalue()
        compiling(0.8)
        during = screen.getvalue()[len(before) :]
        time.sleep(aside._GAP)
        place = len(screen.getvalue())
        tell(Progress(5, 10, 1.0, 5.0, 1.0))
        time.sleep(0.3)
    after = screen.getvalue()[place:]
    assert "whist" in before
    assert "compiling" not in before
    assert f"{NOTICE}, 0 s" in during
    assert "5 of 10 deals, 5.0" not in during
    assert "5 of 10 deals" in after
    assert "compiling" not in after[after.index("5 of 10") :]


def test_what_has_no_deals_shows_its_time(compiling, monkeypatch):
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    with progress.waiting("whist", "measuring"):
        time.sleep(0.3)
        compiling(0.6)
    assert "measuring, 0 s" in screen.getvalue()
    assert NOTICE in screen.getvalue()
