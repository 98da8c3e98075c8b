"""The slow piquet against the examples of the books and cases made by hand."""

from __future__ import annotations

from .reference import AMERICAN, CARTE_ROUGE, RUBICON, Deal, Rules, sequences_of, settle_rubicon


def cards(text: str) -> list[str]:
    return text.replace("|", " ").split()


ELDER = cards("AS KS QS | KH QH JH 7H | KD 9D 7D | 8C 7C")
YOUNGER = cards("KC JC TC 9C | TS 8S 7S | TH 9H | AD TD 8D")


def dealt(elder: str | list[str], younger: str | list[str], rules: Rules = RUBICON) -> Deal:
    """A deal after the exchange."""
    hands = {
        "elder": cards(elder) if isinstance(elder, str) else elder,
        "younger": cards(younger) if isinstance(younger, str) else younger,
    }
    return Deal(hands, [], rules)


def test_the_dialogue_of_the_book() -> None:
    deal = dealt(ELDER, YOUNGER)
    deal.declare()
    assert deal.scores == {"elder": {"sequences": 6}, "younger": {"point": 4, "sets": 14}}
    deal.play("AS")
    assert deal.running == {"elder": 7, "younger": 18}
    deal.play("7S")
    deal.play("8C")
    deal.play("KC")
    assert deal.running == {"elder": 7, "younger": 19}


def test_the_deal_of_the_encyclopedia() -> None:
    elder = cards("AS AH KH QH TH 8H 7H AD TD 9D 9C 8C")
    younger = cards("QS JS TS 9S 8S JH 9H KD QD AC JC TC")
    deal = Deal({"elder": elder, "younger": younger}, cards("7C KC 7S 7D JD KS 8D QC"), CARTE_ROUGE)
    assert deal.exchange("elder", cards("9C 8C 9D TD")) == cards("7C KC 7S 7D")
    assert deal.left["elder"] == ["JD"]
    assert deal.exchange("younger", cards("9H JH")) == cards("KS 8D")
    assert sorted(deal.rest) == sorted(cards("QC JD"))
    deal.declare()
    assert deal.scores == {"elder": {"sets": 17}, "younger": {"point": 6, "sequences": 16}}
    tricks = "AH-TC KH-JC QH-8D TH-8S 8H-9S 7H-TS AD-QD 7D-KD KS-7S QS-AS 7C-AC JS-KC"
    for trick in tricks.split():
        for card in trick.split("-"):
            deal.play(card)
    assert [pair[1:] for pair in deal.record] == [
        (18, 22), (19, 22), (20, 22), (21, 22), (22, 22), (23, 22),
        (34, 22), (35, 22), (35, 23), (35, 24), (36, 24), (36, 26),
    ]  # fmt: skip
    assert deal.tricks == {"elder": 8, "younger": 4}
    assert (deal.total("elder"), deal.total("younger")) == (136, 26)


def test_sequences_are_found_whole() -> None:
    assert sequences_of(cards("7S 8S 9S TS QS KS AS JH QH KH")) == [(4, 3, "S"), (3, 7, "S"), (3, 6, "H")]


def test_equal_points_and_sequences_score_for_nobody_and_do_not_save_from_repique() -> None:
    elder = "AS KS QS JS TS | AH KH | AD KD | AC KC QC"
    younger = "AS KS QS JS TS | 7H 8H | 7D 8D | 7C 8C 9C".replace("S", "S")
    # not cards of one pack, but each hand is a hand: equal point 51, equal quint
    deal = dealt(elder, younger)
    deal.declare()
    assert deal.won == {"point": None, "sequence": None, "set": "elder"}
    assert deal.scores["elder"] == {"sets": 28}
    assert deal.repiqued is None
    deal.play("AS")
    deal.play("TS")
    deal.play("KS")
    assert deal.piqued == "elder"  # 28, 29, 30
    assert deal.scores["elder"]["pique"] == 30


def test_repique_goes_by_the_order_of_scoring_in_the_first_book_only() -> None:
    # elder: point 8, octave 18, and a tierce: 29 without more; younger's kings
    elder = "7S 8S 9S TS JS QS KS AS | 7H 8H 9H | 7D"
    younger = "TC QC KC TH QH KH TD QD KD 8C 7C 9D"
    deal = dealt(elder, younger)
    deal.declare()
    assert deal.scores["elder"] == {"point": 8, "sequences": 21}
    assert deal.repiqued is None
    longer = "7S 8S 9S TS JS QS KS AS | 7H 8H 9H TH"
    deal = dealt(longer, younger)
    deal.declare()
    assert deal.scores["elder"] == {"point": 8, "sequences": 22, "repique": 60}
    assert deal.scores["younger"] == {"sets": 9}
    deal = dealt(longer, younger, CARTE_ROUGE)
    deal.declare()
    assert deal.repiqued is None  # the younger has scored by the end of the declarations
    assert deal.scores["elder"] == {"point": 8, "sequences": 22, "carte_rouge": 20}


def test_carte_blanche_of_the_opponent_saves_from_repique() -> None:
    longer = "7S 8S 9S TS JS QS KS AS | 7H 8H 9H TH"
    deal = dealt(longer, "AC TC 9C 8C 7C | AD TD 9D 8D 7D | AH TH")
    deal.show_blank("younger")
    deal.declare()
    assert deal.repiqued is None
    assert deal.scores["younger"]["carte_blanche"] == 10


def test_a_sunk_combination_is_lost() -> None:
    deal = dealt(ELDER, YOUNGER)
    deal.declare({"younger": {"set"}, "elder": {"sequence"}})
    assert deal.scores == {"elder": {"sets": 3}, "younger": {"point": 4, "sequences": 3}}


def run(deal: Deal, play: str) -> None:
    for card in play.replace("-", " ").split():
        deal.play(card)


CAPOT = "AS-7C KS-8C QS-9C JS-TC TS-JC 9S-QC 8S-KC 7S-AC AH-7D KH-8D QH-9D JH-TD"


def test_capot_replaces_the_last_trick_and_the_majority() -> None:
    deal = dealt("AS KS QS JS TS 9S 8S 7S AH KH QH JH", "7C 8C 9C TC JC QC KC AC 7D 8D 9D TD")
    run(deal, CAPOT)
    assert deal.scores["elder"] == {"leads": 9, "capot": 40}
    deal = dealt("AS KS QS JS TS 9S 8S 7S AH KH QH JH", "7C 8C 9C TC JC QC KC AC 7D 8D 9D TD", AMERICAN)
    run(deal, CAPOT)
    assert deal.scores["elder"] == {"leads": 12, "capot": 40}
    deal = dealt("AS KS QS JS TS 9S 8S 7S AH KH QH JH", "7C 8C 9C TC JC QC KC AC 7D 8D 9D TD", CARTE_ROUGE)
    run(deal, CAPOT)
    assert deal.scores["elder"] == {"leads": 13, "cards": 10, "deal": 100}


def test_settlement() -> None:
    assert settle_rubicon((150, 100)) == (150, -150)
    assert settle_rubicon((99, 150)) == (-349, 349)
    assert settle_rubicon((90, 80)) == (270, -270)
    assert settle_rubicon((90, 80), "difference") == (110, -110)
    assert settle_rubicon((120, 120)) == (0, 0)
