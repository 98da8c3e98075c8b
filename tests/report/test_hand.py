"""What a page says of the dealt hand."""

from __future__ import annotations

from simcards.report.hand import dealt_odds


def test_a_rule_for_the_size_of_the_hand_is_heard() -> None:
    usual = dealt_odds("chinese-bezique", 0, 1)
    large = dealt_odds("chinese-bezique", 0, 1, hand=12)
    assert usual is not None
    assert large is not None
    assert "of 9 cards" in usual.tables[0].caption
    assert "of 12 cards" in large.tables[0].caption
    assert usual.tables[0].rows != large.tables[0].rows
