"""What is printed where: one JSON document, pure CSV, or text that fits the terminal."""

from __future__ import annotations

import csv
import io
import json
import math
import re

import pytest

ESTIMATE = {"quantity", "n", "estimate", "se", "ci_low", "ci_high", "method"}
SMALL = ("-n", "400", "--seed", "3")

EVERY = [
    ("games",),
    ("rules", "bezique"),
    ("rules", "bezique", "--quantities"),
    ("rules", "bezique", "--view"),
    ("play", "bezique", *SMALL),
    ("match", "bezique", "basic", "random", "-n", "100"),
    ("replay", "bezique", "--deal", "5"),
    ("sample", "bezique", "-n", "20"),
]


def document(text: str) -> dict:
    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is not JSON")

    return json.loads(text, parse_constant=refuse)


@pytest.mark.parametrize("words", EVERY, ids=" ".join)
def test_json_is_one_document_and_nothing_else(call, words):
    answer = call(*words, "--json")
    assert (answer.status, answer.err) == (0, "")
    data = document(answer.out)
    assert set(data) == {"rows", "provenance"}
    assert data["rows"]
    assert data["provenance"]["version"]
    for row in data["rows"]:
        assert not any(isinstance(value, dict) for value in row.values())


@pytest.mark.parametrize("words", EVERY, ids=" ".join)
def test_csv_holds_the_same_rows_and_nothing_else(call, words):
    answer = call(*words, "--csv")
    assert (answer.status, answer.err) == (0, "")
    rows = list(csv.DictReader(io.StringIO(answer.out)))
    data = document(call(*words, "--json").out)
    assert len(rows) == len(data["rows"])
    for row, record in zip(rows, data["rows"], strict=True):
        for name, value in record.items():
            if value is None:
                assert row[name] == ""
            elif isinstance(value, float):
                assert float(row[name]) == value
            elif isinstance(value, list):
                assert row[name] == " ".join(map(str, value))
            else:
                assert row[name] == str(value)


@pytest.mark.parametrize("words", [*EVERY, ("replay", "bezique", "--legal")], ids=" ".join)
def test_text_fits_80_columns_and_has_no_codes_when_piped(call, words):
    answer = call(*words)
    assert (answer.status, answer.err) == (0, "")
    lines = answer.out.splitlines()
    assert not [line for line in lines if len(line) > 80]
    assert "\x1b" not in answer.out
    assert all(line == line.rstrip() for line in lines)


def test_games_have_what_others_rely_on(call):
    rows = document(call("games", "--json").out)["rows"]
    known = {row["id"]: row for row in rows}
    rubicon = known["rubicon-bezique"]
    assert {"id", "name", "players", "family", "strategies"} <= rubicon.keys()
    assert rubicon["players"] == 2
    assert {"random", "basic"} <= set(rubicon["strategies"])
    text = call("games").out
    assert all(row["id"] in text for row in rows)
    assert all(word in text for row in rows for word in row["name"].split())  # a long name is folded at its blanks


def test_play_has_the_columns_of_an_estimate(call):
    data = document(call("play", "bezique", *SMALL, "--json").out)
    assert all(row.keys() >= ESTIMATE for row in data["rows"])
    won = {row["seat"]: row for row in data["rows"] if row["quantity"] == "won"}
    assert set(won) == {"pone", "dealer"}
    assert won["pone"]["n"] == 400
    assert won["pone"]["strategy"] == "basic"
    assert won["pone"]["ci_low"] <= won["pone"]["estimate"] <= won["pone"]["ci_high"]
    about = data["provenance"]
    assert about["deals"] == 400
    assert about["seed"] == 3
    assert about["rules"]["target"] == 0
    assert about["strategies"] == ["basic", "basic"]


def test_numbers_are_given_in_full(call):
    data = document(call("play", "bezique", "-n", "300", "--json").out)
    row = next(row for row in data["rows"] if row["quantity"] == "points")
    assert row["estimate"] * 300 == pytest.approx(round(row["estimate"] * 300), abs=1e-9)
    assert len(repr(row["se"])) > 10


def test_what_is_not_a_number_becomes_null(call):
    rows = document(call("play", "bezique", "-n", "1", "--json").out)["rows"]
    assert any(row["se"] is None for row in rows)
    assert any(row["estimate"] is None for row in rows)


def test_everything_prints_more_and_a_section_prints_less(call):
    plain = call("play", "bezique", *SMALL).out
    whole = call("play", "bezique", *SMALL, "--all").out
    part = call("play", "bezique", *SMALL, "--section", "result").out
    assert "first_marriage" not in plain
    assert "first_marriage" in whole
    assert "any_count_bezique" in whole
    assert "points_aces/points" in whole
    assert "count_bezique" not in part
    assert "winner_points" in part
    assert len(part) < len(plain) < len(whole)


def test_the_default_fits_two_screens(call):
    for game in ("bezique", "rubicon-bezique"):
        assert len(call("play", game, "-n", "400").out.splitlines()) <= 75


def test_a_quantity_can_be_chosen_in_every_form(call):
    words = ("play", "bezique", *SMALL, "--quantity", "count_aces", "--quantity", "margin")
    rows = document(call(*words, "--json").out)["rows"]
    assert {row["quantity"] for row in rows} == {"count_aces", "any_count_aces", "margin"}
    text = call(*words).out
    assert "any_count_aces" in text
    assert "winner_points" not in text


def test_numbers_of_deals_as_people_write_them(call):
    seen = {
        text: document(call("play", "bezique", "-s", "random", "-n", text, "--json").out)["provenance"]["deals"]
        for text in ("2k", "2e3", "2_000", "2,000", "0.002M")
    }
    assert set(seen.values()) == {2000}
    words = ("play", "bezique", "-s", "random", "-n", "20", "--unit", "game", "--json")
    for number in ("1e3", "1,000", "1000"):
        about = document(call(*words, "--seed", number, "--set", f"target={number}").out)["provenance"]
        assert (about["seed"], about["rules"]["target"]) == (1000, 1000)


def test_russian_names_and_cards(call):
    data = document(call("play", "рубикон безик", "-n", "20", "--fix", "pone=ДП ДП", "--json").out)
    assert data["provenance"]["game"] == "rubicon-bezique"
    assert data["provenance"]["cards"] == {"pone": ["QS", "QS"]}


def test_the_header_says_what_was_played(call):
    out = call(
        "play", "bezique", "-s", "basic", "-s", "random", "-n", "200", "--unit", "game",
        "--set", "target=300", "--fix", "pone=AS AS",
    ).out  # fmt: skip
    text = " ".join(out.split())
    assert text.startswith("Bezique: 200 games, pone basic, dealer random, seed 1")
    assert "rules changed: target = 300" in text
    assert "cards given: pone AS AS" in text


def test_precision_stops_early_and_says_so(call):
    words = ("play", "bezique", "-s", "random", "--precision", "5", "--target", "points.pone", "-n", "100k")
    about = document(call(*words, "--json").out)["provenance"]
    assert about["precise"] is True
    assert about["deals"] < 100_000
    assert "precision 5 of points.pone: reached" in call(*words).out


def test_rules_mark_what_was_changed(call):
    out = call("rules", "bezique", "--set", "brisques=never").out
    assert "never * (as_won)" in out
    assert "0 ° (1000)" in out
    assert "triple_bezique" in out.partition("fixed")[2]
    rows = {row["rule"]: row for row in document(call("rules", "bezique", "--unit", "game", "--json").out)["rows"]}
    assert rows["target"]["value"] == 1000
    assert rows["brisques"]["choices"] == ["never", "as_won", "at_end"]
    assert rows["packs"]["fixed"] is True


def test_quantities_are_listed(call):
    rows = document(call("rules", "rubicon-bezique", "--quantities", "--json").out)["rows"]
    assert {"quantity", "kind", "section", "seats", "doc"} == rows[0].keys()
    assert "rubiconed" in call("rules", "rubicon-bezique", "--quantities").out


def test_a_replay_shows_cards_score_and_result(call):
    out = call("replay", "bezique", "--seed", "1", "--deal", "123").out
    assert out.startswith("Bezique: deal 123 of seed 1, basic in all seats")
    assert "dealer" in out
    data = document(call("replay", "bezique", "--seed", "1", "--deal", "123", "--json").out)
    last = data["rows"][-1]
    assert last["step"] == len(data["rows"])
    row = data["provenance"]["row"]
    assert (last["score.pone"], last["score.dealer"]) == (row["points.pone"], row["points.dealer"])
    assert f"{last['score.pone']} : {last['score.dealer']}" in out
    assert data["provenance"]["dealt"][0]["pone"].count(" ") == 7


def test_a_replayed_deal_is_the_sampled_one(call):
    sampled = document(call("sample", "bezique", "-n", "6", "--seed", "9", "--json").out)["rows"][5]
    row = document(call("replay", "bezique", "--deal", "5", "--seed", "9", "--json").out)["provenance"]["row"]
    assert {name: value for name, value in sampled.items() if name != "deal"} == row


def test_a_sample_goes_to_a_file_or_is_streamed(call, tmp_path):
    answer = call("sample", "bezique", "-n", "50", "-o", "rows.csv")
    assert "50 rows in rows.csv" in answer.out
    assert (tmp_path / "rows.csv").read_text() == call("sample", "bezique", "-n", "50", "--csv").out
    quiet = call("sample", "bezique", "-n", "50", "-o", "rows.csv", "--quiet")
    assert (quiet.status, quiet.out, quiet.err) == (0, "", "")


def test_a_preview_of_a_sample_needs_no_play_of_all(call):
    answer = call("sample", "bezique", "-n", "1e12")
    assert answer.status == 0
    assert "winner_points" in answer.out


def test_rules_tell_what_a_strategy_needs(call):
    out = call("rules", "bezique").out
    assert re.search(r"^lay +1 +0 to 31", out, re.M)
    assert re.search(r"^  worlds +20 ", out, re.M)
    view = call("rules", "bezique", "--view").out
    assert re.search(r"^common\.led +int32 +the card led", view, re.M)
    assert re.search(r"^public\.table +\[8\] record", view, re.M)
    assert "target" not in view
    both = call("rules", "bezique", "--view", "--quantities")
    assert (both.status, both.err) == (2, "simcards: --quantities and --view exclude each other\n")


def test_a_match_says_who_is_better(call):
    data = document(call("match", "bezique", "basic", "random", "-n", "200", "--json").out)
    row = next(row for row in data["rows"] if row["quantity"] == "value")
    assert row["strategy"] == "basic"
    assert row["against"] == "random"
    assert row["estimate"] > 100.0
    assert row["ci_low"] > 0.0
    out = call("match", "bezique", "basic", "random", "-n", "200").out
    assert "basic against random" in out
    assert "won" in out
    whole = call("match", "bezique", "basic", "random", "-n", "200", "--all").out
    assert "points_brisques" in whole
    assert "points_brisques" not in out


@pytest.mark.parametrize("words", [*EVERY[:1], *EVERY[4:6]], ids=" ".join)
def test_no_number_is_cut_where_there_is_little_room(call, monkeypatch, words):
    def numbers() -> set[str]:
        body = call(*words).out.partition("\n\n")[2]  # above it the speed is told
        return set(re.findall(r"[−\d][\d.,]*", body))

    wide = numbers()
    monkeypatch.setenv("COLUMNS", "40")
    assert "…" not in call(*words).out
    assert {number for number in numbers() if len(number) > 3} <= wide


def test_one_is_one(call):
    assert call("play", "bezique", "-n", "1").out.startswith("Bezique: 1 deal, basic")


def test_quiet_leaves_the_remarks_out(call):
    words = ("play", "bezique", *SMALL)
    assert "± is one standard error" in call(*words).out
    assert "± is one standard error" not in call(*words, "--quiet").out


def test_results_are_saved_beside_what_is_printed(call, tmp_path):
    words = ("play", "bezique", *SMALL, "--json", "--out", "saved")
    data = document(call(*words).out)
    assert {path.name for path in (tmp_path / "saved").iterdir()} == {
        "figure.svg", "histograms.csv", "provenance.json", "quantities.csv",
    }  # fmt: skip
    about = json.loads((tmp_path / "saved" / "provenance.json").read_text())
    assert about["deals"] == 400
    rows = list(csv.DictReader((tmp_path / "saved" / "quantities.csv").open()))
    assert [row["quantity"] for row in rows] == [row["quantity"] for row in data["rows"]]
    assert call(*words).status == 0  # once more: what was saved is replaced


def test_a_report_says_where_it_is_and_gives_its_numbers(call, tmp_path):
    words = ("report", "bezique", "-n", "1000", "--match-deals", "100", "-o", "page")
    answer = call(*words)
    assert (answer.status, answer.err) == (0, "")
    assert "page/index.html" in answer.out
    assert (tmp_path / "page" / "index.html").stat().st_size > 10_000
    data = document(call(*words, "--json").out)
    assert {"estimates"} <= {row["table"] for row in data["rows"]}
    assert data["provenance"]["play"]["deals"] == 1000


def test_an_experiment_is_carried_out(call, tmp_path):
    (tmp_path / "small.toml").write_text(
        'game = "bezique"\nkind = "play"\ndeals = 2000\nstrategies = "random"\n[rules]\nlast_trick = 50\n'
    )
    answer = call("run", "small.toml", "-n", "1k", "-o", "page", "--json")
    assert (answer.status, answer.err) == (0, "")
    about = document(answer.out)["provenance"]["play"]
    assert about["deals"] == 1000
    assert about["rules"]["last_trick"] == 50
    assert (tmp_path / "page" / "index.md").is_file()
    assert not math.isnan(about["seconds"])
