"""An interrupt while deals are played: what was done is printed, and the run can be gone on with."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from simcards.study import engine


@pytest.fixture
def interrupting(monkeypatch):
    """Press Ctrl-C once so many deals are done."""
    real = engine.Teller.__call__

    def after(deals: int) -> None:
        def tell(self, done: int) -> None:
            real(self, done)
            if done >= deals:
                raise KeyboardInterrupt

        monkeypatch.setattr(engine.Teller, "__call__", tell)

    def never() -> None:
        monkeypatch.setattr(engine.Teller, "__call__", real)

    after.never = never
    return after


def rows_of(answer):
    return json.loads(answer.out)["rows"]


def test_the_figures_cover_the_deals_done(call, interrupting):
    interrupting(700)
    answer = call("play", "bezique", "-s", "random", "-n", "1e9", "--json")
    assert answer.status == 130
    about = json.loads(answer.out)["provenance"]
    assert about["interrupted"] is True
    assert about["deals"] >= 700
    assert about["deals_wanted"] == 10**9
    assert answer.err == (
        f"simcards: interrupted after {about['deals']:,} of 1,000,000,000 deals; the figures cover these\n"
    )
    interrupting.never()
    shorter = call("play", "bezique", "-s", "random", "-n", str(about["deals"]), "--json")
    assert rows_of(shorter) == rows_of(answer)


def test_the_text_says_so_too(call, interrupting):
    interrupting(700)
    answer = call("play", "bezique", "-s", "random", "-n", "1e9")
    assert answer.status == 130
    assert "(interrupted, 1,000,000,000 were wanted)" in " ".join(answer.out.split())


def test_a_run_that_is_resumed_equals_one_that_never_stopped(call, interrupting):
    words = ("play", "bezique", "-s", "random", "-n", "5000", "--json")
    interrupting(700)
    assert call(*words, "--checkpoint", "run.json").status == 130
    interrupting.never()
    resumed = call(*words, "--checkpoint", "run.json", "--resume")
    assert resumed.status == 0
    assert json.loads(resumed.out)["provenance"]["resumed_from"] >= 700
    assert rows_of(resumed) == rows_of(call(*words))


def test_a_match_is_interrupted_alike(call, interrupting):
    interrupting(50)
    answer = call("match", "bezique", "basic", "random", "-n", "1e9", "--json")
    assert answer.status == 130
    assert json.loads(answer.out)["provenance"]["interrupted"] is True


def test_a_sample_keeps_the_rows_done(call, interrupting, tmp_path):
    interrupting(50)
    answer = call("sample", "bezique", "-n", "1e9", "-o", "rows.csv")
    assert answer.status == 130
    assert "'rows.csv' holds these" in answer.err
    lines = (tmp_path / "rows.csv").read_text().splitlines()
    assert f"interrupted after {len(lines) - 1:,} of" in answer.err


def test_before_the_first_deal_there_is_nothing_to_show(call, monkeypatch):
    def at_once(self):
        raise KeyboardInterrupt

    monkeypatch.setattr(engine.Teller, "begin", at_once)
    answer = call("play", "bezique", "-s", "random", "-n", "1000")
    assert (answer.status, answer.out) == (130, "")
    assert answer.err == "simcards: interrupted after 0 of 1,000 deals; there are no figures\n"


def test_anywhere_else_it_is_one_line(call, monkeypatch):
    from simcards import api

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(api, "game_records", interrupted)
    answer = call("games")
    assert (answer.status, answer.out, answer.err) == (130, "", "simcards: interrupted\n")


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
@pytest.mark.parametrize("seconds", [3.0, 6.0])
def test_an_interrupt_while_code_is_compiled(tmp_path, seconds):
    process = subprocess.Popen(
        [sys.executable, "-m", "simcards", "play", "bezique", "-s", "random", "-n", "1e9", "--section", "result"],
        env={**os.environ, "SIMCARDS_CACHE_DIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    time.sleep(seconds)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=300)
    assert process.returncode == 130
    assert "Traceback" not in said
    assert len(said.strip().splitlines()) == 1
    assert "interrupted" in said
