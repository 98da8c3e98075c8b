from __future__ import annotations

import threading
import time

import numba
import pytest

from simcards.study import aside


def test_it_is_done_in_another_thread():
    assert aside.call(threading.get_ident) != threading.get_ident()
    assert aside.call(divmod, 17, 5) == (3, 2)


def test_what_goes_wrong_there_goes_wrong_here():
    with pytest.raises(ZeroDivisionError):
        aside.call(divmod, 1, 0)

    def some():
        yield 1
        raise KeyError("two")

    found = aside.results(some())
    assert next(found) == 1
    with pytest.raises(KeyError, match="two"):
        next(found)
    assert not aside.left()


def test_results_come_in_order_and_few_are_waiting():
    asked = []
    ahead = []

    def some():
        for k in range(50):
            asked.append(k)
            yield k

    for k in aside.results(some()):
        time.sleep(0.002)
        ahead.append(asked[-1] - k)
    assert asked == list(range(50))
    assert max(ahead) <= 2


def test_closed_early_it_is_closed_there():
    closed = []

    def some():
        try:
            yield from range(10**9)
        finally:
            closed.append(threading.get_ident())

    found = aside.results(some())
    assert [next(found) for _ in range(3)] == [0, 1, 2]
    found.close()
    assert len(closed) == 1
    assert closed[0] != threading.get_ident()
    assert not aside.left()


def test_it_is_known_what_is_compiled():
    compiler = aside.compilation()
    begun = []
    time.sleep(2 * aside._GAP)
    assert (compiler.busy, compiler.seconds) == (False, 0.0)

    @numba.njit
    def double(n):
        return 2 * n

    with compiler.watched(lambda: begun.append(compiler.busy)):
        assert double(4) == 8
        assert compiler.seconds > 0.0
        assert double(5) == 10
    assert len(begun) == 1
    time.sleep(2 * aside._GAP)
    assert (compiler.busy, compiler.seconds) == (False, 0.0)
