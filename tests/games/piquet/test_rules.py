"""The rules of piquet that the books state, one by one."""

import random

import pytest

from simcards.games.piquet.scoring import settle

from ..bezique.kernel import kernel
from .table import PACK, STOP, Table, codes, mask

GAME = "piquet-rubicon"
ROUGE = "piquet-carte-rouge"
TOP = "AS KS QS JS AH KH QH JH AD KD QD JD"
BLANCHE = "AS TS 9S 8S AH TH 9H 8H AD TD 9D 8D"
PLAIN = "9S JS QS KS 9H JH QH KH 9D KD 9C KC"


def cards(text):
    return set(codes(text))


def text(numbers):
    return " ".join(PACK.text(code) for code in numbers)


def hands(elder):
    """Return twelve cards for younger and eight for the talon, of those that elder has not."""
    rest = [code for code in range(32) if code not in cards(elder)]
    return rest[:12], rest[12:]


# -- the exchange ----------------------------------------------------------------------------------------------


def test_elder_exchanges_one_to_five_in_ascending_order():
    table = Table(GAME, PLAIN, text(hands(PLAIN)[0]))
    assert table.asked().legal == cards(PLAIN)
    table.do(codes("QH")[0])
    assert table.asked().legal == {code for code in cards(PLAIN) if code > codes("QH")[0]} | {STOP}
    table.do(*codes("KH 9D KD 9C"))
    assert table.asked().actor == 1
    assert int(table.state["common"]["drawn"][0]) == 5


@pytest.mark.parametrize("taken", range(1, 6))
def test_younger_may_take_what_is_left(taken):
    younger, talon = hands(PLAIN)
    table = Table(GAME, PLAIN, text(younger), text(talon))
    table.exchange(0, text(sorted(cards(PLAIN))[:taken]))
    assert STOP in table.asked().legal
    assert [int(card) for card in table.state["private"][0]["talon"]] == [
        talon[place] if taken <= place < 5 else 32 for place in range(8)
    ]
    gone = sorted(younger)[: 8 - taken]
    table.exchange(1, text(gone))
    assert int(table.state["private"][1]["hand"]) == sum(1 << card for card in {*younger, *talon[taken:]} - {*gone})
    assert table.asked().phase in ("declare", "play")


def test_younger_looks_at_the_rest_or_turns_it_up_or_neither():
    younger, talon = hands(PLAIN)
    for action, mine, theirs in ((0, False, False), (1, True, False), (2, True, True)):
        table = Table(GAME, PLAIN, text(younger), text(talon))
        table.exchange(0, "KS QS JS").exchange(1, text(younger[:1]))
        assert table.asked() == (1, "leave", {0, 1, 2})
        table.do(action)
        assert [int(card) for card in table.state["private"][1]["talon"][4:]] == (talon[4:] if mine else [32] * 4)
        seen = talon[4:] if theirs else [talon[4], 32, 32, 32]
        assert [int(card) for card in table.state["private"][0]["talon"][4:]] == seen
    table = Table(GAME, PLAIN, text(younger), text(talon), {"deals": 1, "younger_leaves": "faces_or_hides"})
    table.exchange(0, "KS QS JS").exchange(1)
    assert table.asked().legal == {0, 2}


def test_the_least_and_the_most_are_rules():
    younger, talon = hands(PLAIN)
    rules = {"deals": 1, "elder_least": 3, "elder_most": 4, "younger_most": 0}
    table = Table(GAME, PLAIN, text(younger), text(talon), rules)
    ordered = sorted(cards(PLAIN))
    assert table.asked().legal == set(ordered[:10])  # three must go, upwards
    table.do(ordered[9])
    assert table.asked().legal == {ordered[10]}
    table.do(ordered[10])
    assert table.asked().legal == {ordered[11]}
    table.do(ordered[11], STOP)
    assert table.asked().phase == "leave"


# -- carte blanche ---------------------------------------------------------------------------------------------


def test_elder_shows_carte_blanche_before_he_discards():
    younger, talon = hands(BLANCHE)
    table = Table(GAME, BLANCHE, text(younger), text(talon))
    assert table.asked() == (0, "show", {0, 1})
    table.do(1)
    assert table.points == [10, 0]
    assert table.asked().phase == "exchange"
    assert int(table.state["public"][0]["blanche"]) == mask(BLANCHE)
    table = Table(GAME, BLANCHE, text(younger), text(talon)).do(0)
    assert table.points == [0, 0]
    assert int(table.state["public"][0]["blanche"]) == 0


@pytest.mark.parametrize(("when", "first"), [("after_discard", 0), ("before_discard", 1)])
def test_younger_shows_carte_blanche_when_the_rule_says(when, first):
    elder, talon = hands(BLANCHE)
    rules = {"deals": 1, "carte_blanche_shown": when}
    table = Table(GAME, text(elder), BLANCHE, text(talon), rules)
    if when == "after_discard":
        table.exchange(0, text(elder[:5]))
    assert table.asked() == (1, "show", {0, 1})
    table.do(1)
    assert table.points == [0, 10]
    assert table.asked().actor == (1 if when == "after_discard" else 0)
    assert table.asked().phase == "exchange"


def test_carte_blanche_is_scored_at_once_by_the_other_book():
    elder, talon = hands(BLANCHE)
    assert Table(ROUGE, text(elder), BLANCHE, text(talon)).points == [0, 10]
    assert Table(ROUGE, BLANCHE, text(elder), text(talon)).points == [10, 0]


# -- declarations ----------------------------------------------------------------------------------------------


def declaring(elder, younger, game=GAME, rules=None):
    """Deal these hands so that they are complete after an exchange of one card by elder and none by younger."""
    spare = next(code for code in range(32) if code not in cards(elder) | cards(younger))
    first = codes(elder)[0]
    dealt = [spare, *codes(elder)[1:]]
    table = Table(game, text(dealt), younger, text([first]), rules)
    if table.asked().phase == "show":
        table.do(0)
    table.exchange(0, text([spare]))
    if table.asked().phase == "show":
        table.do(0)
    table.exchange(1)
    if table.asked().phase == "leave":
        table.do(0)
    assert int(table.state["private"][0]["hand"]) == mask(elder)
    return table


LONG = "AS KS QS JS TS 9H 8H 7D 8D 9C 8C 7H"  # a quint and five cards making 51
HEARTS = "AH KH QH JH TH 9S 8S 7S 9D TD 7C TC"  # the same in hearts


def test_equal_points_and_sequences_score_for_nobody():
    table = declaring(LONG, HEARTS)
    table.declare(0, "S").declare(1, "H")
    assert table.points == [0, 0]
    table.declare(0, "AS").declare(1, "AH")
    assert table.points == [0, 0]
    state = table.state
    assert [list(map(int, public["said"][:2])) for public in state["public"]] == [[4, 4], [4, 4]]
    assert state["tally"]["lost"].tolist() == [[5, 5], [15 + 3, 15 + 3]]  # a low tierce each is lost too
    assert state["tally"]["equal"].tolist() == [1, 1]


def test_equality_does_not_prevent_repique():
    """Both have five cards making 49; quint, fourteen kings and three tens are 32."""
    table = declaring(
        "KS QS JS TS 9S KH KD KC TD TC 7D 7C",
        "AH QH JH TH 8H QD JD 9D 8D QC JC 9C",
    )
    table.declare(0, "S").declare(1, "H")
    assert table.points == [0, 0]
    table.declare(0, "KS").declare(0, "K")
    assert table.points == [29, 0]
    table.declare(0, "T")
    assert table.points == [32 + 60, 0]


def test_points_scored_before_prevent_repique():
    table = declaring("AS KS QS JS TS AH KH AD KD AC KC 7D", "QH JH TH 9H 8H QD JD TD 9D 8D TC 9C")
    table.declare(0, None).declare(1, "H")
    assert table.points == [0, 5]
    table.declare(0, "AS").declare(0, "A").declare(0, "K")
    assert table.points == [43, 5]


def test_repique_is_sixty_and_needs_thirty_before_the_other_scores():
    table = declaring("AS KS QS JS TS AH KH AD KD AC KC 7D", "QH JH TH 9H 8H QD JD TD 9D 8D TC 9C")
    table.declare(0, "S").declare(0, "AS")  # five hearts making 47 are not as good
    assert table.points == [20, 0]
    table.declare(0, "A")
    assert table.points == [34 + 60, 0]
    table.declare(0, "K")
    assert table.points == [48 + 60, 0]
    assert table.asked().phase == "play"
    table.play("AS")
    assert table.points == [109, 0]  # and no pique on top of it


SEPTIEME = "AS KS QS JS TS 9S 8S AH KH QH JH TH"  # with a quint and the point 39, of all twelve cards


def test_in_carte_rouge_the_other_must_have_nothing_when_all_is_declared():
    """Thirty are reached with the sequences; three low trios of the other come later."""
    younger = "7S 9H 8H 7H TD 9D 8D 7D TC 9C 8C KD"
    table = declaring(SEPTIEME, younger).declare_all()
    assert table.points == [39 + 60, 0]
    table = declaring(SEPTIEME, younger, ROUGE).declare_all()
    assert table.points == [39 + 20, 9]


def test_carte_rouge_and_repique_of_a_hundred():
    younger = "7S 7H 8H 8D 9H 9C TD TC JD JC QD QC"
    table = declaring(SEPTIEME, younger, ROUGE).declare_all()
    assert table.asked().phase == "play"
    assert table.points == [39 + 20 + 100, 0]
    assert table.state["tally"]["count"][[10, 11]].tolist() == [[1, 0], [1, 0]]
    assert declaring(SEPTIEME, younger).declare_all().points == [39 + 60, 0]


def test_carte_rouge_may_be_left_out_of_the_count_for_repique():
    younger = "TS 8S 7S 9H 8H TH TD 8D 7D 9C 7C QC"
    for counts, bonus in (("yes", 100), ("no", 0)):
        table = declaring(TOP, younger, ROUGE, {"deals": 1, "carte_rouge_counts": counts}).declare_all()
        assert table.points == [4 + 3 * 4 + 4 * 3 + 20 + bonus, 0]  # 28 without carte rouge


def test_low_sets_count_in_one_book():
    elder = "7S 7H 7D 7C AS KH QS JS 9H 9D TC AC"
    younger = "KS TS AH QH TH 8H AD KD JD 8D KC QC"
    assert declaring(elder, younger, GAME).state["rules"]["low_sets"] == 0
    table = declaring(elder, younger, ROUGE)
    while int(table.state["common"]["kind"]) < 2:
        table.declare(table.asked().actor, None)
    table.declare(0, "7")
    assert table.points == [14, 0]
    table = declaring(elder, younger, GAME)
    while int(table.state["common"]["kind"]) < 2:
        table.declare(table.asked().actor, None)
    assert table.asked().actor == 1  # three kings


@pytest.mark.parametrize(
    ("elder", "value"),
    [
        ("7H 8H 9H", 3),
        ("7H 8H 9H TH", 4),
        ("7H 8H 9H TH JH", 15),
        ("7H 8H 9H TH JH QH", 16),
        ("7H 8H 9H TH JH QH KH", 17),
        ("7H 8H 9H TH JH QH KH AH", 18),
    ],
)
@pytest.mark.parametrize("game", [GAME, ROUGE])
def test_values_of_sequences(elder, value, game):
    fill = ["7S", "9S", "JS", "KS", "7D", "9D", "JD", "KD", "7C"]
    hand = " ".join([*elder.split(), *fill[: 12 - len(elder.split())]])
    rest = [code for code in range(32) if code not in cards(hand)]
    younger = "8S TS QS AS 8D TD QD AD 8C 9C JC KC"
    assert not cards(hand) & cards(younger)
    assert set(codes(younger)) <= set(rest)
    table = declaring(hand, younger, game)
    while int(table.state["common"]["kind"]) == 0:
        table.declare(table.asked().actor, None)
    table.declare(0, elder.split()[-1])
    assert table.points == [value, 0]


def test_a_sunk_combination_is_forfeited():
    """Elder names his lower tierce: the better one is lost, and cannot be named afterwards."""
    elder = "AS KS QS 9H 8H 7H AD 8D JD JC 9C 7C"
    younger = "JS TS 9S 7S KH QH TH KD QD TD AC KC"
    table = declaring(elder, younger)
    while int(table.state["common"]["kind"]) == 0:
        table.declare(table.asked().actor, None)
    assert table.asked().legal == {codes("AS")[0], codes("9H")[0], STOP}
    table.declare(0, "9H")
    assert table.points == [0, 0]
    assert table.asked().actor == 1  # a tierce to the jack
    table.declare(1, None)
    assert table.points == [3, 0]
    assert int(table.state["common"]["kind"]) == 2
    assert table.state["tally"]["sunk"].tolist()[0] >= 1


def test_what_is_scored_is_shown_and_what_is_not_is_heard():
    elder = "AS KS QS 9H 8H 7H AD 8D JD JC 9C 7C"
    younger = "JS TS 9S 7S KH QH TH KD QD TD AC KC"
    table = declaring(elder, younger)
    table.declare_all()
    first, second = table.state["public"]
    assert int(first["shown"]) & mask("AS KS QS") == mask("AS KS QS")
    assert int(second["shown"]) == mask("JS TS 9S 7S KH KD KC TH TD")
    assert int(second["absent"]) & mask("QS 8S") == mask("QS 8S")
    assert int(second["absent"]) & mask("TC KS") == mask("TC KS")
    assert not int(second["absent"]) & int(table.state["private"][1]["hand"])


# -- play ------------------------------------------------------------------------------------------------------


def played_out(game, rules=None, seed=0):
    """Return the row of a random deal, with what the tricks score reckoned by hand from the cards played."""
    rng = random.Random(seed)
    deck = list(range(32))
    rng.shuffle(deck)
    table = Table(game, text(deck[:12]), text(deck[12:24]), text(deck[24:]), {"deals": 1, **(rules or {})})
    played = []
    while not table.is_over:
        position = table.asked()
        action = rng.choice(sorted(position.legal))
        if position.phase == "play":
            played.append((position.actor, action))
        table.do(action)
    return table.row(), played


@pytest.mark.parametrize("game", [GAME, "piquet-rubicon-american", ROUGE])
def test_points_in_play(game):
    for seed in range(12):
        row, played = played_out(game, seed=seed)
        leads, wins, tricks, last = [0, 0], [0, 0], [0, 0], [0, 0]
        expected = 0
        for number in range(12):
            (leader, led), (other, reply) = played[2 * number : 2 * number + 2]
            assert leader == expected
            winner, best = (other, reply) if led // 8 == reply // 8 and reply > led else (leader, led)
            leads[leader] += led % 8 >= 3 or game != GAME
            if game != ROUGE:
                wins[winner] += winner != leader and (best % 8 >= 3 or game != GAME)
            tricks[winner] += 1
            if number == 11:
                last[leader if game == ROUGE else winner] += 1
            expected = winner
        capot = game != ROUGE and 12 in tricks
        assert row["tricks"] == tricks
        assert row["points_leads"] == leads
        assert row["points_wins"] == wins
        assert row["points_last"] == ([0, 0] if capot else last)
        assert row["points_cards"] == [0 if capot else 10 * (count > 6) for count in tricks]
        assert row["points_capot"] == [40 * (capot and count == 12) for count in tricks]


def test_capot_replaces_the_last_trick_and_the_cards():
    younger = "TS 9S 8S 7S TH 9H 8H 7H TD 9D 8D 7D"
    for game, expected in ((GAME, (12, 0, 0, 40)), (ROUGE, (12, 1, 10, 0))):
        table = declaring(TOP, younger, game)
        while table.asked().phase == "declare":
            table.do(STOP)
        for lead in codes(TOP):
            table.do(lead, lowest_of_suit(table, lead))
        row = table.row()
        sources = tuple(row[f"points_{name}"][0] for name in ("leads", "last", "cards", "capot"))
        assert sources == expected
        assert row["count_capot"] == [1, 0]


def lowest_of_suit(table, lead):
    """Return younger's lowest card of the suit that will be led."""
    hand = int(table.state["private"][1]["hand"])
    return next(code for code in range(8 * (lead // 8), 32) if hand >> code & 1)


def test_pique_is_thirty_and_counts_what_is_scored_in_play():
    """Quarts and trios are sunk but for 20 points; the tenth lead makes 30."""
    younger = "TS 9S 8S 7S TH 9H 8H 7H TD 9D 8D 7D"
    table = declaring(TOP, younger)
    table.declare(0, "S")  # 4
    if table.asked().actor == 1:
        table.declare(1, None)
    table.declare(0, "AS").declare(0, "AH").declare(0, "AD")  # 12
    table.declare(0, "A").declare(0, None)  # 3
    assert table.points == [19, 0]
    for number, lead in enumerate(codes(TOP), 1):
        table.do(lead)
        assert table.points[0] == 19 + number + 30 * (number >= 11)
        table.do(lowest_of_suit(table, lead))
    assert table.row()["points_pique"] == [30, 0]
    assert table.row()["pique_trick"][0] == 11


def test_what_is_scored_at_the_end_makes_no_pique_unless_told():
    younger = "TS 9S 8S 7S TH 9H 8H 7H TD 9D 8D 7D"
    for rules, pique in (({}, 0), ({"cards_in_pique": "yes"}, 30)):
        table = declaring(TOP, younger, rules={"deals": 1, **rules})
        while table.asked().phase == "declare":
            table.do(STOP)
        for lead in codes(TOP):
            table.do(lead, lowest_of_suit(table, lead))
        assert table.row()["points_pique"] == [pique, 0]
        assert table.row()["points"] == [12 + 40 + pique, 0]


def test_suit_is_followed():
    table = declaring(TOP, "TS 9S 8S 7S TH 9H 8H 7H TD 9D 8D 7D")
    while table.asked().phase == "declare":
        table.do(STOP)
    table.do(codes("QH")[0])
    assert table.asked().legal == cards("TH 9H 8H 7H")


# -- games -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("totals", "changes", "value", "rubicon"),
    [
        ((250, 120), {}, 230, False),  # the difference and 100
        ((120, 250), {}, -230, False),
        ((250, 100), {}, 250, False),  # a hundred is enough
        ((250, 99), {}, 449, True),  # the sum and 100
        ((250, 99), {"rubicon_formula": "difference"}, 251, True),
        ((90, 60), {}, 250, True),  # also when the winner is below
        ((90, 90), {}, 0, False),
    ],
)
def test_settlement_of_a_game(totals, changes, value, rubicon):
    assert settle(*totals, kernel(GAME, changes).states["rules"][0]) == (value, rubicon)


def test_a_single_deal_and_the_other_book_settle_by_the_difference():
    assert settle(40, 10, kernel(GAME, {"deals": 1}).states["rules"][0]) == (30, False)
    assert settle(340, 10, kernel(ROUGE, {}).states["rules"][0]) == (330, False)


@pytest.mark.parametrize(
    ("game", "deals", "doubled"), [(GAME, 6, False), ("piquet-rubicon-four-deals", 4, True), (ROUGE, 4, False)]
)
def test_games(game, deals, doubled):
    for index in range(30):
        traced = kernel(game, {}).trace("random", 3, index)
        row = traced.row
        assert row["deals"] == deals == len(traced.decks)
        # the score of a deal stands until the next one is dealt
        ends = [place for place, action in enumerate(traced.actions) if action == -1][1:] + [len(traced.seen) - 1]
        played = [[int(public["points"]) for public in traced.seen[place]["public"]] for place in ends]
        for seat in (0, 1):
            weights = [2 if doubled and deal in (0, deals - 1) else 1 for deal in range(deals)]
            total = sum(weight * scores[seat] for weight, scores in zip(weights, played))
            if game == ROUGE:
                total += 100 * sum(scores[seat] > scores[1 - seat] for scores in played)
            assert row["points"][seat] == total
            assert row["points_as_elder"][seat] + row["points_as_younger"][seat] == total
        elders = [int(traced.seen[place]["common"]["elder"]) for place in ends]
        assert elders == [deal % 2 for deal in range(deals)]
