"""``simcards odds``."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import pytest

from simcards.cli import main


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(["odds", *words])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def rows(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, object]]:
    status, out, err = run(capsys, *words, "--json")
    assert (status, err) == (0, "")
    return json.loads(out)["rows"]


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    counted, seen = rows(
        capsys, "--pack", "32x6", "--hand", "12", "n('QS')>=2 and n('JD')>=2", "-n", "1e4", "--seed", "3"
    )
    assert counted["method"] == "exact"
    assert (counted["numerator"], counted["denominator"]) == ("22322436612011", "13868656906474968")
    assert seen["n"] == 10_000
    again = rows(
        capsys,
        "--pack",
        "32x6",
        "--hand",
        "12",
        "n('QS')>=2 and n('JD')>=2",
        "-n",
        "10k",
        "--seed",
        "3",
        "--workers",
        "1",
    )
    assert again == [counted, seen]


def test_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "rubicon-bezique", "-n", "2000", "-q")
    assert status == 0
    assert "carte blanche" in out
    assert "1 in 82.20" in out
    assert rows(capsys, "рубикон", "carte blanche", "n('A') >= 5", "-n", "0")[0]["denominator"] == "4332432280"
    changed = rows(capsys, "bezique", "--pack", "32x3", "carte blanche", "-n", "0")
    assert changed[0]["numerator"] == str(
        Fraction(int(changed[0]["numerator"]), int(changed[0]["denominator"])).numerator
    )


def test_several_hands_and_known_cards(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--pack", "32", "--hand", "hand=AS KS QS JS TS 9S 8S 7S AH KH", "--hand", "talon=2", "-n", "0"]
    (row,) = rows(capsys, *words, "n('J', talon) >= 1")
    assert Fraction(int(row["numerator"]), int(row["denominator"])) == 1 - Fraction(19 * 18, 22 * 21)
    (row,) = rows(
        capsys, "--pack", "32", "--hand", "AS KS QS TS AH AD AC +5", "--known", "TH TD TC", "--known", "7H 7C",
        "run() >= 5", "-n", "0",
    )  # fmt: skip
    assert (row["numerator"], row["denominator"]) == ("1", "4")


def test_given_and_trumps(capsys: pytest.CaptureFixture[str]) -> None:
    found = rows(
        capsys, "--pack", "24", "--hand", "6", "--trump", "hearts", "--given", "n('K of trumps') == 1",
        "n('Q of trumps')", "-n", "0",
    )  # fmt: skip
    assert (found[0]["numerator"], found[0]["denominator"]) == ("5", "23")


def test_csv(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "--pack", "52", "--hand", "13", "n('A')", "--csv", "-n", "0")
    assert status == 0
    assert out.splitlines()[0].startswith("quantity,n,estimate,se,ci_low,ci_high,method")
    assert len(out.splitlines()) == 2


def test_distribution(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ["--pack", "52", "--hand", "13", "points('A4 K3 Q2 J1')", "--distribution", "-n", "2000"]
    status, out, _ = run(capsys, *words)
    assert status == 0
    assert "9.4051 %" in out
    assert "█" in out
    plot = tmp_path / "plot.svg"
    assert run(capsys, *words, "--plot", str(plot))[0] == 0
    assert plot.read_text().lstrip().startswith("<?xml")
    found = rows(capsys, *words)
    assert any(row["quantity"] == "points('A4 K3 Q2 J1') = 10" for row in found)
    assert run(capsys, *words, "--plot", "plot.txt")[0] == 2


def test_toml(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "questions.toml"
    file.write_text(
        'pack = "32"\nhand = 12\ndeals = 1000\nseed = 4\n[features]\n"carte blanche" = "n(\'K Q J\') == 0"\n'
        '"a quart" = "run() >= 4"\n',
        encoding="utf-8",
    )
    found = rows(capsys, "--file", str(file))
    assert [row["quantity"] for row in found] == ["carte blanche"] * 2 + ["a quart"] * 2
    assert found[0]["denominator"] == "578956"
    more = rows(capsys, "-f", str(file), "-n", "0", "--hand", "8", "n('A')")
    assert [row["quantity"] for row in more] == ["carte blanche", "a quart", "n('A')"]
    status, _, err = run(capsys, "-f", str(file), "-o", str(tmp_path / "folder"))
    assert (status, err) == (0, "")
    assert (tmp_path / "folder" / "odds.csv").exists()


def test_lines(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "questions.txt"
    file.write_text("# at piquet\ncarte blanche: n('K Q J') == 0\n\nrun() >= 4\n", encoding="utf-8")
    found = rows(capsys, "-f", str(file), "--pack", "32", "--hand", "12", "-n", "0")
    assert [row["quantity"] for row in found] == ["carte blanche", "run() >= 4"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--pack", "32", "--hand", "12", "n('K') and 3"], "needs a condition"),
        (["--pack", "32", "--hand", "12", "n('K') >= 5"], "can never hold"),
        (["--pack", "32", "--hand", "12", "n('K')", "--given", "n('Z') > 1"], "no card, rank or suit"),
        (["--pack", "32", "--hand", "8", "n('K')", "--given", "n('K') == 4 and n('Q') == 4 and n('A') == 1"],
         "no such hand exists"),
    ],
)  # fmt: skip
def test_errors_with_a_caret(capsys: pytest.CaptureFixture[str], words: list[str], said: str) -> None:
    status, out, err = run(capsys, *words, "--json")
    assert (status, out) == (2, "")
    first, _, carets = err.rstrip("\n").split("\n")
    assert first.startswith("simcards: ")
    assert said in first
    assert set(carets.strip()) == {"^"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["n('K') >= 2"], "which cards? give --pack"),
        ([], "as in --pack 32x6 --hand 12"),
        (["--pack", "32"], "as in --hand 12"),
        (["--pack", "32", "--hand", "31", "--known", "AS KS", "n('K')"], "cannot be dealt: only 30 are left unseen"),
        (["--pack", "32", "--hand", "AS +3", "--known", "AS", "n('K')"], "AS cannot be given once more"),
        (["--pack", "32", "--hand", "4", "--known", "5", "n('K')"], "'5' is not a card"),
        (["--pack", "32", "--hand", "4", "--known", "", "n('K')"], "no cards are named as known"),
        (["--pack", "32", "--hand", "4", "--given", "", "n('K')"], "the condition is written as a question"),
        (["--pack", "32", "--hand", "4", "--trump", " ", "n('K')"], "the suit of trumps"),
        (["--pack", "", "--hand", "4", "n('K')"], "'' is not a pack"),
        (["--pack", "32", "--hand", "4", "n('K')", "--seed", "one"], "the seed must be a whole number"),
        (["--pack", "32", "--hand", "4", "n('K')", "-n", "0", "--precision", "0.1"], "a precision needs deals"),
        (["rubicn"], "did you mean 'rubicon'"),
        (["--pack", "33", "--hand", "8", "n()"], "there is no pack of 33 cards"),
        (["--pack", "32", "n('K')"], "how many cards are dealt"),
        (["--pack", "32", "--hand", "40", "n('K')"], "the pack has only 32"),
        (["--pack", "32", "--hand", "4", "--hand", "4", "n('K')"], "several hands need names"),
        (["--pack", "32", "--hand", "a=4", "--hand", "a=4", "n('K', a)"], "gives 'a' twice"),
        (["--pack", "32", "--hand", "4"], "what is the question"),
        (["--pack", "32", "--hand", "4", "n('K')", "-n", "lots"], "whole number"),
        (["--pack", "32", "--hand", "4", "n('K')", "--sampling", "x"], "there is no sampling"),
        (["--pack", "32", "--hand", "4", "n('K')", "--json", "--csv"], "exclude each other"),
        (["--file", "nowhere.toml"], "cannot read 'nowhere.toml'"),
    ],
)
def test_errors_of_one_line(capsys: pytest.CaptureFixture[str], words: list[str], said: str) -> None:
    status, out, err = run(capsys, *words)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert said in err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("pack = ", "is not TOML"),
        ("pock = 32", "did you mean 'pack'"),
        ("pack = 32\nhand = 8\nfeatures = 3", "questions, or names and questions"),
        ("pack = 32\nhand = 8\nfeatures = []", "there is no question"),
        ("pack = 32\nhand = 8.5\nfeatures = ['n()']", "hand in"),
        ("pack = 32\nhand = true\nfeatures = ['n()']", "hand in"),
        ("pack = 32\nhand = 1979-05-27\nfeatures = ['n()']", "wrong.toml' cannot be 1979-05-27"),
        ("pack = 32\nhands = {a = 07:32:00}\nfeatures = ['n(a)']", "the hand 'a' in"),
        ("pack = {ranks = 1979-05-27}\nhand = 8\nfeatures = ['n()']", "ranks of the pack in"),
        ("pack = 32\nhand = 8\nknown = ['AS', 5]\nfeatures = ['n()']", "a known card in"),
        ("pack = 32\nhand = 8\nfeatures = {a = 1979-05-27}", "['a', 1979-05-27]"),
    ],
)
def test_wrong_files(capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text(text, encoding="utf-8")
    status, _, err = run(capsys, "-f", str(file))
    assert status == 2
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("name", ["questions.txt", "questions.toml"])
def test_files_that_are_no_texts(capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    for content in (b"\x7fELF\x02\x80\xff", "café: n()".encode("latin-1"), b"n()\0\0"):
        file.write_bytes(content)
        status, out, err = run(capsys, "-f", str(file), "--pack", "32", "--hand", "8")
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert f"{name}' is not a text" in err


def test_a_mark_at_the_start_of_a_file_is_no_part_of_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name, text in (("a.txt", "n('K') >= 1"), ("a.toml", "features = [\"n('K') >= 1\"]")):
        file = tmp_path / name
        file.write_text(text, encoding="utf-8-sig")
        (row,) = rows(capsys, "-f", str(file), "--pack", "32", "--hand", "8", "-n", "0")
        assert row["quantity"] == "n('K') >= 1"


def test_seeds_are_written_as_people_write_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--pack", "32", "--hand", "8", "n('K')", "-n", "1e3", "--seed"]
    assert rows(capsys, *words, "1e3") == rows(capsys, *words, "1000")


@pytest.mark.parametrize("width", ["80", "40", "20"])
def test_numbers_are_whole_in_narrow_terminals(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, width: str
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    _, out, _ = run(capsys, "--pack", "32x6", "--hand", "12", "n('QS')>=2 and n('JD')>=2", "-n", "0")
    for number in ("0.16096 %", "1 in 621.29", "22322436612011/13868656906474968", "3,689,062,737,122,341,488"):
        assert number in out
    _, out, _ = run(capsys, "rubicon-bezique", "-n", "0")
    assert "…" not in out
    for number in ("1 in 158,855,850,267", "0.000024 %", "< 0.000000001 %"):
        assert number in out


def test_one_is_one(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "--pack", "32", "--hand", "8", "n('K') in [1, 3]", "-n", "1")
    assert "Simulated: 1 deal, seed 1" in out
    assert "n('K') in [1, 3]" in out


def press(seconds: float, folder: Path, *words: str) -> tuple[int, str]:
    process = subprocess.Popen(
        [sys.executable, "-m", "simcards", "odds", *words],
        env={**os.environ, "SIMCARDS_CACHE_DIR": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    time.sleep(seconds)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=120)
    return process.returncode, said


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
@pytest.mark.parametrize("seconds", [2.0, 4.0, 8.0])
@pytest.mark.parametrize(
    "words",
    [
        ["n('K') >= 2", "-n", "1e12"],
        # some 4 thousand million states, gone through one by one
        ["max_rank(n()) * run() + ways(15, 'A1 22 33 44 55 66 77 88 99 T10 J10 Q10 K10')", "-n", "0"],
    ],
    ids=["simulating", "counting"],
)
def test_an_interrupt_at_any_time(tmp_path: Path, seconds: float, words: list[str]) -> None:
    status, said = press(seconds, tmp_path, "--pack", "52", "--hand", "9", "--budget", "1e12", *words)
    assert status == 130
    assert said.count("\n") == 1
    assert said.startswith("simcards: interrupted")


def test_examples(capsys: pytest.CaptureFixture[str]) -> None:
    """What the help shows works."""
    import shlex

    from simcards.cli.odds import EXAMPLES

    for example in EXAMPLES:
        words = shlex.split(example)[1:]
        if "--file" not in words:
            words = [*words, "-n", "100"] if "-n" not in words else words
            assert run(capsys, *words)[0] == 0, example
