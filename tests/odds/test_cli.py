"""``simcards odds``."""

from __future__ import annotations

import json
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
        (["rubicn"], "did you mean 'rubicon'"),
        (["--pack", "33", "--hand", "8", "n()"], "there is no pack of 33 cards"),
        (["--pack", "32", "n('K')"], "how many cards are dealt"),
        (["--pack", "32", "--hand", "40", "n('K')"], "the pack has only 32"),
        (["--pack", "32", "--hand", "4", "--hand", "4", "n('K')"], "several hands need names"),
        (["--pack", "32", "--hand", "a=4", "--hand", "a=4", "n('K', a)"], "gives 'a' twice"),
        (["--pack", "32", "--hand", "4"], "what is the question"),
        (["--pack", "32", "--hand", "4", "n('K')", "-n", "lots"], "whole number"),
        (["--pack", "32", "--hand", "4", "n('K')", "--sampling", "x"], "way of sampling"),
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
    ],
)
def test_wrong_files(capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text(text, encoding="utf-8")
    status, _, err = run(capsys, "-f", str(file))
    assert status == 2
    assert said in err
    assert err.count("\n") == 1


def test_examples(capsys: pytest.CaptureFixture[str]) -> None:
    """What the help shows works."""
    import shlex

    from simcards.cli.odds import EXAMPLES

    for example in EXAMPLES:
        words = shlex.split(example)[1:]
        if "--file" not in words:
            words = [*words, "-n", "100"] if "-n" not in words else words
            assert run(capsys, *words)[0] == 0, example
