"""Packs and card text: every notation by example, round trips by property, and the errors."""

import pickle
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcards.cards import RANKS, SUITS, Pack, check_cards, pack
from simcards.errors import UsageError

NAMES = [
    "20",
    "24",
    "24+1",
    "24x2",
    "28",
    "32",
    "32x3-8C",
    "32x6",
    "36",
    "39",
    "40",
    "51",
    "52",
    "54x2",
    "54x3",
]
ODD = [
    Pack("789JQKTA", copies=4),  # bezique
    Pack("A234567JQK"),  # hurricane
    Pack("65432A"),
    Pack("234567A", suits="SH", removed=("AH",)),  # Black Peter
    Pack(RANKS, copies=3, jokers=1, removed=("*",)),  # construction
    Pack(RANKS, suits="CDHS", removed=("2S 2H", "2D", "2C")),  # other suit order, a whole rank out
    Pack("A", suits="C", jokers=4, copies=32),
]
PACKS = [Pack.named(name) for name in NAMES] + ODD

packs = st.sampled_from(PACKS)
any_pack = st.builds(
    Pack,
    ranks=st.permutations(RANKS).flatmap(lambda r: st.integers(1, 13).map(lambda n: "".join(r[:n]))),
    suits=st.permutations(SUITS).flatmap(lambda s: st.integers(1, 4).map(lambda n: "".join(s[:n]))),
    copies=st.integers(1, 32),
    jokers=st.integers(0, 4),
)


@st.composite
def packs_and_hands(draw):
    which = draw(packs | any_pack)
    deck = which.deck()
    places = draw(st.lists(st.integers(0, len(deck) - 1), max_size=20, unique=True))
    return which, [int(deck[place]) for place in places]


# -- packs ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "size", "types", "lowest", "shown"),
    [
        ("20", 20, 20, "T", "20"),
        ("24", 24, 24, "9", "24"),
        ("28", 28, 28, "8", "28"),
        ("32", 32, 32, "7", "32"),
        ("36", 36, 36, "6", "36"),
        ("39", 39, 39, "2", "39"),
        ("40", 40, 40, "5", "40"),
        ("52", 52, 52, "2", "52"),
        ("54", 54, 53, "2", "54"),
        ("52+2", 54, 53, "2", "54"),
        ("52+1", 53, 53, "2", "52+1"),
        ("24+1", 25, 25, "9", "24+1"),
        ("32x6", 192, 32, "7", "32x6"),
        ("32×6", 192, 32, "7", "32x6"),
        ("32х6", 192, 32, "7", "32x6"),  # Cyrillic
        ("32Х6", 192, 32, "7", "32x6"),
        ("32X6", 192, 32, "7", "32x6"),
        ("32*6", 192, 32, "7", "32x6"),
        (" 32 x 6 ", 192, 32, "7", "32x6"),
        ("6×32", 192, 32, "7", "32x6"),
        ("2x104", 208, 52, "2", "52x4"),
        ("24x2", 48, 24, "9", "24x2"),
        ("48", 48, 24, "9", "24x2"),
        ("51", 51, 52, "2", "52-2C"),
        ("64", 64, 32, "7", "32x2"),
        ("95", 95, 32, "7", "32x3-8C"),
        ("96", 96, 32, "7", "32x3"),
        ("104", 104, 52, "2", "52x2"),
        ("108", 108, 53, "2", "54x2"),
        ("54x2", 108, 53, "2", "54x2"),
        ("52+2x2", 108, 53, "2", "54x2"),
        ("128", 128, 32, "7", "32x4"),
        ("156", 156, 52, "2", "52x3"),
        ("162", 162, 53, "2", "54x3"),
        ("192", 192, 32, "7", "32x6"),
        ("52-2C", 51, 52, "2", "52-2C"),
        ("52-2D-2C", 50, 52, "2", "52-2D-2C"),
        ("52 − 2c, ♦2", 50, 52, "2", "52-2D-2C"),
        ("51x2", 102, 52, "2", "52x2-2C-2C"),
        ("52+1x3-*", 158, 53, "2", "52+1x3-*"),
        ("52x2-2C-2C-2D-2D-2H", 99, 52, "2", "52x2-2H-2D-2D-2C-2C"),  # eleusis for seven
    ],
)
def test_named_packs(text, size, types, lowest, shown):
    made = Pack.named(text)
    assert (made.size, made.types, made.ranks[0], made.ranks[-1], str(made)) == (
        size,
        types,
        lowest,
        "A",
        shown,
    )
    assert Pack.named(str(made)) == made
    assert "".join(sorted(made.ranks, key=RANKS.index)) == made.ranks


def test_pack_takes_what_people_have():
    assert pack("32x6") == pack(192) == pack({"ranks": "A K Q J T 9 8 7", "copies": 6}) == Pack("789TJQKA", copies=6)
    assert pack(ODD[0]) is ODD[0]


def test_thirty_nine_lacks_a_suit():
    made = Pack.named("39")
    assert made.suits == "SHD"
    with pytest.raises(UsageError, match=r"^there is no 2C in this pack of 39 \(suits S H D\)$"):
        made.code("2C")


def test_codes_follow_the_order_of_the_pack():
    made = Pack.named("54")
    assert [made.text(code) for code in (0, 12, 13, 51, 52)] == ["2S", "AS", "2H", "AC", "*"]
    bezique = Pack.named("32x4").with_order("789JQKTA")
    assert [bezique.text(code) for code in range(8)] == ["7S", "8S", "9S", "JS", "QS", "KS", "TS", "AS"]
    assert (str(bezique), bezique.size) == ("32x4", 128)
    assert bezique == Pack.named("32x4").with_order("7 8 9 j q k 10 a")
    assert bezique != Pack.named("32x4")


def test_counts_and_deck_with_removed_cards():
    made = Pack.named("32x3-8C")
    counts = made.counts()
    assert counts.dtype == np.uint8
    assert counts[made.code("8C")] == 2
    assert counts.sum() == 95
    assert made.deck().dtype == np.uint8
    assert list(made.deck()[:4]) == [0, 0, 0, 1]
    made.deck()[:] = 0  # a new array each time
    assert made.deck()[-1] == 31


def test_odd_packs_of_the_catalogue():
    assert [odd.size for odd in ODD[:5]] == [128, 40, 24, 13, 158]
    assert Pack(RANKS[:-1] + "A", suits="SH", removed=("AH",)).size == 25
    assert str(ODD[1]) == "A234567JQK"
    assert str(ODD[3]) == "234567A/SH-AH"
    assert ODD[5].counts().tolist().count(0) == 4


def test_removed_cards_have_one_spelling():
    assert Pack(RANKS, removed=("2♣", "дп")) == Pack(RANKS, removed=("QS 2C",))
    assert Pack(RANKS, removed=("2♣",)).removed == ("2C",)
    assert hash(Pack(RANKS, removed=("2♣",))) == hash(Pack.named("51"))


def test_pack_can_be_pickled():
    assert pickle.loads(pickle.dumps(ODD[4])) == ODD[4]


def test_table():
    made = Pack.from_mapping({"ranks": "A K Q J T 9", "copies": 2, "suits": "SHDC", "jokers": 1})
    assert made == Pack("9TJQKA", copies=2, jokers=1)
    assert Pack.from_mapping({"ranks": "A T K Q J 9 8 7"}).ranks == "789JQKTA"
    assert Pack.from_mapping({"ranks": ["A", "K", "Q", "J", 10, 9]}).ranks == "9TJQKA"
    assert Pack.from_mapping({"ranks": "6 5 4 3 2 A"}).ranks == "A23456"
    assert Pack.from_mapping({"ranks": "3 2 A K Q J 7 6 5 4"}).ranks == "4567JQKA23"
    assert Pack.from_mapping({"ranks": RANKS[::-1], "removed": ["2C", "2D"]}) == Pack.named("52-2C-2D")
    assert Pack.from_mapping({"ranks": RANKS[::-1], "removed": "2C 2D"}) == Pack.named("52-2C-2D")


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({}, "a pack needs its ranks from high to low"),
        ({"ranks": "7 8 9 J Q K T A"}, "ranks are written from high to low: 'A T K Q J 9 8 7'"),
        ({"ranks": "A 2 3 4 5 6"}, "ranks are written from high to low: '6 5 4 3 2 A'"),
        ({"ranks": "A K", "copy": 2}, "there is no part 'copy' of a pack; did you mean 'copies'?"),
        ({"ranks": "A K", "copies": "2"}, "the copies of a pack are a whole number from 1 to 32, not '2'"),
        ({"ranks": "A K", "copies": True}, "the copies of a pack are a whole number from 1 to 32, not True"),
        ({"ranks": "A K", "copies": 2.0}, "the copies of a pack are a whole number"),
        ({"ranks": "A K 1"}, "there is no rank '1'"),
        ({"ranks": "A K K"}, "the rank K is named twice"),
        ({"ranks": ""}, "a pack needs at least one rank"),
        ({"ranks": 5}, "ranks of a pack must be a text or a list, not '5'"),
        ({"ranks": "A K", "suits": "SX"}, "there is no suit 'X'"),
        ({"ranks": "A K", "removed": 2}, "removed of a pack must be a text or a list"),
        ({"ranks": "A K", "removed": "QS"}, "there is no QS in this pack of 8 (ranks K A)"),
        ({"ranks": "A", "suits": "S", "removed": "AS"}, "a pack needs at least one card"),
    ],
)
def test_table_errors(table, message):
    with pytest.raises(UsageError) as caught:
        Pack.from_mapping(table)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is not a pack; write 20, 24, 28, 32, 36, 39, 40, 52 or 54"),
        ("bezique", "'bezique' is not a pack"),
        ("52-", "'52-' is not a pack"),
        ("-5", "'-5' is not a pack"),
        ("9" * 5000, "is not a pack"),
        ("33", "there is no pack of 33 cards; write 20"),
        ("6x5", "there is no pack of 6 cards"),
        ("32x0", "the copies of a pack are a whole number from 1 to 32, not 0"),
        ("32x33", "the copies of a pack are a whole number from 1 to 32, not 33"),
        ("51x999999999", "the copies of a pack are a whole number from 1 to 32, not 999999999"),
        ("192x32", "the copies of a pack are a whole number from 1 to 32, not 192"),
        ("52+5", "the jokers of a pack are a whole number from 0 to 4, not 5"),
        ("64+2", "jokers are counted for each copy"),
        ("32-2C", "there is no 2C in this pack of 32 (ranks 7 to A)"),
        ("32-8C-8C", "8C is given 2 times; the pack has 1"),
        ("52-*", "there is no joker in this pack of 52"),
        ("52-2", "'2' is not a card"),
    ],
)
def test_pack_errors(text, message):
    with pytest.raises(UsageError) as caught:
        Pack.named(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize("ranks", ["789JQKT", "789JQKTA6", "689JQKTA", "7789JQKTA", ""])
def test_with_order_needs_the_same_ranks(ranks):
    with pytest.raises(UsageError):
        Pack.named("32").with_order(ranks)


# -- cards ---------------------------------------------------------------------------------------------

NOTATIONS = """
    QS:  QS qs Qs qS SQ S:Q ♠Q Q♠ ♤q Q♤ ♠:Q ♠\ufe0eQ ♠\ufe0fQ Q♠\ufe0f ДП дп Дп ♠Д Д♠ ♠д П:Д д♤
    TH:  TH th 10H 10h HT h10 ♥10 10♥ ♥T T♥ ♡10 ♥️10 ❤️10 10❤ 10Ч 10ч ♥:10 Ч:10
    AC:  AC ac CA ♣A A♣ ♧A ТТ тт ТК тк ♣Т Т♣ ♣т Т:Т К:Т
    KC:  KC kc КТ КК кк ♣К К♣ ♣K
    JD:  JD jd ВБ вб ♦В ♦J ♦️J J♢ DJ
    AS:  AS ТП ♠Т т♠
    TS:  TS ♠T t♠ 10П
    9D:  9D 9d ♦9 9♦ 9Б D9
    2C:  2C 2Т 2К 2к ♣2
    *:   * joker JOKER Joker джокер Джокер 🃏
"""


@pytest.mark.parametrize(
    ("card", "written"),
    [
        (line.split(":  ")[0].strip(), each)
        for line in NOTATIONS.strip().splitlines()
        for each in line.split(":  ", 1)[1].split()
    ],
)
def test_notations(card, written):
    made = Pack.named("54")
    assert made.text(made.code(written)) == card


@pytest.mark.parametrize(
    ("written", "card"),
    [
        ("KП", "KS"),  # Latin K
        ("BП", "JS"),  # Latin B for В
        ("ДK", "QC"),  # Latin K for крести
        ("QС", "QC"),  # Cyrillic С
        ("QН", "QH"),  # Cyrillic Н
        ("АS", "AS"),  # Cyrillic А
        ("КS", "KS"),  # Cyrillic К
        ("КС", "KC"),  # both Cyrillic, but С is no Russian suit
        ("К♠", "KS"),
    ],
)
def test_look_alikes_are_forgiven(written, card):
    made = Pack.named("52")
    assert made.text(made.code(written)) == card


@pytest.mark.parametrize("written", ["TП", "ТS", "ДT", "QТ", "♠TД", "S:Т", "TБ"])
def test_a_t_among_letters_of_the_other_alphabet_is_refused(written):
    with pytest.raises(UsageError, match="T is a ten in Latin and an ace in Russian"):
        Pack.named("52").code(written)


@pytest.mark.parametrize(
    "written",
    [
        "X",
        "1S",
        "0S",
        "S",
        "QSS",
        "QSK",
        "2S3",
        "ПД",
        "ZZ",
        "ТС",
        "♠AK♥",
        "♠♥",
        "A.K",
        "Я",
        "11H",
        "Q S",
        "♠",
    ],
)
def test_unreadable(written):
    with pytest.raises(UsageError):
        Pack.named("52").code(written)


@pytest.mark.parametrize("written", ["Q", "KK", "ТД", "AK", "т"])
def test_ranks_without_a_suit(written):
    with pytest.raises(UsageError, match=f"^'{written}' has no suit; write a rank .* as QS, 10H, ♠Q or ДП"):
        Pack.named("52").parse(f"AS {written}")


@pytest.mark.parametrize("written", ["5", "10", "12"])
def test_a_number_is_not_a_card(written):
    with pytest.raises(UsageError, match=f"^'{written}' is not a card; write a rank"):
        Pack.named("52").parse(written)


def test_messages():
    def message(which, text):
        with pytest.raises(UsageError) as caught:
            Pack.named(which).parse(text)
        assert "\n" not in str(caught.value)
        return str(caught.value)

    assert message("32", "2S") == "there is no 2S in this pack of 32 (ranks 7 to A)"
    assert message("32x4", "♠2") == "there is no 2S in this pack of 128 (ranks 7 to A)"
    assert message("51", "2C") == "there is no 2C in this pack of 51; it is left out"
    assert message("52", "*") == "there is no joker in this pack of 52"
    assert message("32x4", "QS ДП ♠Q Q♠ qs") == "QS is given 5 times; the pack has 4"
    assert message("52", "QS QS") == "QS is given 2 times; the pack has 1"
    assert message("54", "***") == "* is given 3 times; the pack has 2"
    assert message("52", "QS zz").startswith("'zz' is not a card; write a rank")
    assert len(message("52", "z" * 5000)) < 200
    with pytest.raises(UsageError, match=r"^'QS KS' is 2 cards; one card was wanted, such as QS$"):
        Pack.named("52").code("QS KS")
    with pytest.raises(UsageError, match=r"^'' is no cards"):
        Pack.named("52").code("")
    with pytest.raises(UsageError, match=r"^there is no TS in this pack of 40 \(ranks 2 3 4 5 6 7 J Q K A\)$"):
        ODD[1].code("TS")


@pytest.mark.parametrize(
    ("written", "cards"),
    [
        ("", ""),
        (" , ;| ", ""),
        ("AS KS QS | KH QH JH 7H | KD 9D", "AS KS QS KH QH JH 7H KD 9D"),
        ("AS,KS;QS\tJS\nTS", "AS KS QS JS TS"),
        ("7H AS", "7H AS"),  # in the order as written
        ("AKQS 109H", "AS KS QS TH 9H"),
        ("AhKh2c", "AH KH 2C"),
        ("♠AKQ ♥J10 ♣2", "AS KS QS JH TH 2C"),
        ("♠AKQ♥J107♦-♣9", "AS KS QS JH TH 7H 9C"),
        ("A♠10♥ 98♦", "AS TH 9D 8D"),
        ("S:AKQ H:J7 D:- C:10", "AS KS QS JH 7H TC"),
        ("♠: A K Q ♥: - ♦: 10 9 ♣:", "AS KS QS TD 9D"),
        ("♠ A K 10 ♥ — ♦ QJ 2C", "AS KS TS QD JD 2C"),
        ("S: A K, H: Q", "AS KS QH"),
        ("AKQ.J7..T98", "AS KS QS JH 7H TC 9C 8C"),
        ("-.-.A.-", "AD"),
        ("...", ""),
        ("ТДП 10ВЧ", "AS QS TH JH"),
        ("П:ТКД Т:В К:Д", "AS KS QS JC QC"),
        ("П: Т К Д Ч: 10", "AS KS QS TH"),
        ("♠ТК ДК", "AS KS QC"),  # a closed group, then the queen of clubs
        ("♠ ТК Д", "AS KS QS"),  # a heading, then bare ranks
        ("Т♠Д♣ТБ", "AS QC AD"),
        ("QS * ♠K", "QS * KS"),
        ("** AS", "* * AS"),
        ("♠ A * ", "AS *"),
    ],
)
def test_several_cards(written, cards):
    made = Pack.named("54")
    assert " ".join(made.text(code) for code in made.parse(written)) == cards


def test_a_full_card_ends_a_heading():
    with pytest.raises(UsageError, match="'Q' has no suit"):
        Pack.named("52").parse("♠ A KH Q")


def test_available_cards():
    made = Pack.named("32x4")
    left = made.counts()
    left[made.code("QS")] = 1
    left[made.code("JD")] = 0
    assert len(made.parse("QS KS KS", available=left)) == 3
    with pytest.raises(UsageError, match=r"^QS is given 2 times; only 1 of 4 is left$"):
        made.parse("QS QS", available=left)
    with pytest.raises(UsageError, match=r"^JD cannot be given once more; the pack has only 4$"):
        made.parse("JD", available=list(left))
    with pytest.raises(UsageError, match=r"^KS is given 5 times; the pack has 4$"):
        made.parse("KS KS KS KS KS", available=left)


def test_check_cards_takes_codes():
    made = Pack.named("51")
    check_cards(made, made.deck())
    with pytest.raises(UsageError, match="left out"):
        check_cards(made, [made.types - 13])
    for bad in (-1, 52, 255):
        with pytest.raises(UsageError, match=f"no card with the code {bad}; this pack has 0 to 51"):
            check_cards(made, [bad])
        with pytest.raises(UsageError):
            made.text(bad)


def test_rank_and_suit():
    made = Pack.named("54")
    assert (made.rank_of(made.code("TH")), made.suit_of(made.code("TH"))) == ("T", "H")
    assert (made.rank_of(52), made.suit_of(52), made.pretty(52)) == ("*", "*", "*")
    assert made.pretty(made.code("TH")) == "10♥"
    assert made.pretty(np.uint8(made.code("QS"))) == "Q♠"


def test_format_sorts_by_suit_then_high_to_low():
    made = Pack.named("54x2").with_order(RANKS)
    assert made.format(made.parse("2C * QS TH AS QS")) == "AS QS QS TH 2C *"
    assert made.format(made.parse("2C * QS TH AS"), pretty=True) == "A♠ Q♠ 10♥ 2♣ *"
    assert made.format([]) == ""
    bezique = ODD[0]
    assert bezique.format(bezique.parse("KS AS TS 9S")) == "AS TS KS 9S"


# -- properties ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("which", PACKS, ids=str)
def test_every_card_survives_a_round_trip(which):
    counts = which.counts()
    assert len(counts) == which.types <= 53
    assert counts.sum() == which.size == len(which.deck())
    assert np.array_equal(np.bincount(which.deck(), minlength=which.types), counts)
    for code in map(int, np.flatnonzero(counts)):
        text = which.text(code)
        for written in (text, text.lower(), which.pretty(code)):
            assert which.code(written) == code
        assert which.rank_of(code) + which.suit_of(code) in (text, "**")


@given(any_pack)
def test_any_pack_has_consistent_numbers(which):
    counts = which.counts()
    assert len(counts) == which.types
    assert counts.sum(dtype=int) == which.size == len(which.deck())
    assert [which.code(which.text(code)) for code in range(which.types)] == list(range(which.types))


@given(packs_and_hands())
def test_parse_reads_what_format_writes(hand):
    which, codes = hand
    for pretty in (False, True):
        read = which.parse(which.format(codes, pretty=pretty))
        assert read == which.arrange(codes)
        assert sorted(read) == sorted(codes)
    assert which.parse(" ".join(map(which.text, codes))) == codes


@given(packs_and_hands())
def test_groups_and_dots_are_the_same_hand(hand):
    which, codes = hand
    held = [code for code in which.arrange(codes) if which.text(code) != "*"]
    ranks = {suit: "".join(which.rank_of(c) for c in held if which.suit_of(c) == suit) for suit in SUITS}
    signs = dict(zip(SUITS, "♠♥♦♣"))
    assert sorted(which.parse(".".join(ranks.values()))) == sorted(held)
    assert sorted(which.parse("".join(signs[suit] + (ranks[suit] or "-") for suit in SUITS))) == sorted(held)
    assert sorted(which.parse(" ".join(f"{suit}: {' '.join(ranks[suit])}" for suit in SUITS))) == sorted(held)


@given(packs, st.data())
def test_another_order_is_the_same_pack(which, data):
    other = which.with_order("".join(data.draw(st.permutations(which.ranks))))
    assert (other.size, other.types) == (which.size, which.types)
    assert sorted(map(other.text, other.deck())) == sorted(map(which.text, which.deck()))
    assert other.with_order(which.ranks) == which


@given(st.text(alphabet="AKQJT987SHDC10♠♥♦♣ТКДВПЧБ*:.-| \ufe0fxZ", max_size=12) | st.text(max_size=12))
def test_any_text_is_cards_or_one_line(text):
    for read in (Pack.named("54x2").parse, Pack.named):
        message = ""
        try:
            read(text)
        except UsageError as error:
            message = str(error)
        assert len(message.splitlines()) <= 1


def test_import_is_light():
    code = "import sys, simcards.cards; print(*(m for m in ('pandas', 'numba', 'scipy') if m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
