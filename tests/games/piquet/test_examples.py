"""The examples of the two books, line by line."""

from .table import Table, codes, mask

ELDER = "AS KS QS KH QH JH 7H KD 9D 7D 8C 7C"
YOUNGER = "KC JC TC 9C TS 8S 7S TH 9H AD TD 8D"


def dialogue():
    """The dealt hands are those of the dialogue but for a card each, which is exchanged."""
    elder = ELDER.replace("7H", "9S")
    table = Table("piquet-rubicon", elder, YOUNGER, "7H JS AH")
    return table.exchange(0, "9S").exchange(1).do(0)


def test_the_dialogue_of_the_declarations():
    table = dialogue()
    assert int(table.state["private"][0]["hand"]) == mask(ELDER)
    assert int(table.state["private"][1]["hand"]) == mask(YOUNGER)
    # "four" - "how many?" - "thirty-seven" - "not good, thirty-nine"
    table.declare(0, "H")
    elder, younger = table.state["public"]
    assert [int(elder["size"][0]), int(elder["top"][0])] == [4, 38 - 1]
    table.declare(1, "C")
    assert table.points == [0, 4]
    assert int(younger["top"][0]) == 39
    # "tierce" - "how high?" - "to the ace" - "good" - "and another tierce"
    table.declare(0, "AS")
    assert table.points == [3, 4]
    table.declare(0, "KH")
    assert table.points == [6, 4]
    # "three kings" - "not good, fourteen tens"
    table.declare(0, "K").declare(1, "T")
    assert table.points == [6, 18]
    assert table.asked().phase == "play"
    table.play("AS")
    assert table.points == [7, 18]
    table.play("TS 8C-KC")
    assert table.points == [7, 19]


def test_the_full_deal_of_the_encyclopedia():
    """B, the elder, wins 136 to 26."""
    table = Table(
        "piquet-carte-rouge",
        "AS AH KH QH TH 8H 7H AD TD 9D 9C 8C",
        "QS JS TS 9S 8S JH 9H KD QD AC JC TC",
        "7C KC 7S 7D JD KS 8D QC",
    )
    table.exchange(0, "9C 8C 9D TD")
    assert int(table.state["private"][0]["talon"][4]) == codes("JD")[0]
    table.exchange(1, "9H JH")
    younger = table.state["private"][1]
    assert int(younger["hand"]) == mask("KS QS JS TS 9S 8S KD QD 8D AC JC TC")
    assert [int(card) for card in younger["talon"][[4, 7]]] == codes("JD QC")
    table.declare(0, "H").declare(1, "S")
    assert table.points == [0, 6]
    table.declare(0, "AH").declare(1, "KS")
    assert table.points == [0, 22]
    table.declare(0, "7")  # nobody has anything to say against it
    assert table.points == [14, 22]
    table.declare(0, "A")
    assert table.points == [17, 22]
    course = [
        ("AH-TC", 18, 22),
        ("KH-JC", 19, 22),
        ("QH-8D", 20, 22),
        ("TH-8S", 21, 22),
        ("8H-9S", 22, 22),
        ("7H-TS", 23, 22),
        ("AD-QD", 34, 22),
        ("7D-KD", 35, 22),
        ("KS-7S", 35, 23),
        ("QS-AS", 35, 24),
        ("7C-AC", 36, 24),
        ("JS-KC", 36, 26),
    ]
    for trick, elder, younger in course:
        table.play(trick)
        assert table.points == [elder, younger], trick
    row = table.row()
    assert row["points"] == [136, 26]
    assert row["value"] == [110, -110]
    assert row["tricks"] == [8, 4]
    assert row["points_deal_won"] == [100, 0]
    assert row["count_repique"] == row["count_pique"] == row["count_carte_rouge"] == [0, 0]


def test_younger_draws_the_top_cards_or_his_own_first():
    elder, younger = "AS AH KH QH TH 8H 7H AD TD 9D 9C 8C", "QS JS TS 9S 8S JH 9H KD QD AC JC TC"
    for game, drawn in (("piquet-rubicon", "JD KS"), ("piquet-carte-rouge", "KS 8D")):
        table = Table(game, elder, younger, "7C KC 7S 7D JD KS 8D QC")
        table.exchange(0, "9C 8C 9D TD").exchange(1, "9H JH")
        assert int(table.state["private"][1]["hand"]) == mask(f"QS JS TS 9S 8S KD QD AC JC TC {drawn}")
