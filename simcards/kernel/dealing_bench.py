"""How fast cards are dealt: ours against NumPy and against the plain loop in C, measured in one run.

All three make full deals of the same pack. Ours and the C loop start a stream of random numbers anew for
every deal, NumPy's goes on with one. The C loop is the textbook shuffle with the same generator: one draw a
card by Lemire's method from 32 bits, compiled on the spot with ``-O3``.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from simcards.kernel.compiled import kernel
from simcards.kernel.rng import CARDS, new_stream, seed_stream
from simcards.kernel.shuffle import fresh_deal

C_SOURCE = r"""
#include <stdint.h>
#include <string.h>

static inline uint64_t rotl(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

static inline void seed_stream(uint64_t s[4], uint64_t seed, uint64_t index)
{
    uint64_t z = seed + index * 0x9E3779B97F4A7C15u;
    for (int i = 0; i < 4; i++) {
        z += 0x9E3779B97F4A7C15u;
        uint64_t y = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        y = (y ^ (y >> 27)) * 0x94D049BB133111EBu;
        s[i] = y ^ (y >> 31);
    }
}

static inline uint64_t next64(uint64_t s[4])
{
    uint64_t r = rotl(s[0] + s[3], 23) + s[0], t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], 45);
    return r;
}

static inline uint32_t bounded(uint64_t s[4], uint32_t n)
{
    uint64_t m = (next64(s) >> 32) * (uint64_t)n;
    uint32_t low = (uint32_t)m;
    if (low < n) {
        uint32_t threshold = -n % n;
        while (low < threshold) {
            m = (next64(s) >> 32) * (uint64_t)n;
            low = (uint32_t)m;
        }
    }
    return m >> 32;
}

uint64_t deals(uint64_t seed, int64_t low, int64_t high, const uint8_t *template, uint8_t *deck, int64_t n)
{
    uint64_t s[4], sum = 0;
    for (int64_t index = low; index < high; index++) {
        seed_stream(s, seed, index);
        memcpy(deck, template, n);
        for (int64_t i = 0; i < n - 1; i++) {
            int64_t j = i + bounded(s, n - i);
            uint8_t card = deck[i];
            deck[i] = deck[j];
            deck[j] = card;
        }
        sum += deck[0];
    }
    return sum;
}
"""


@kernel
def _deals(seed, low, high, stream, template, deck):
    total = 0
    for index in range(low, high):
        seed_stream(stream, seed, CARDS, index)
        fresh_deal(stream, template, deck, deck.shape[0])
        total += deck[0]
    return total


def _ours(cards: int) -> Callable[[int], Any]:
    stream, template = new_stream(), (np.arange(cards) % 256).astype(np.uint8)
    deck = np.empty_like(template)
    return lambda count: _deals(np.uint64(1), 0, count, stream, template, deck)


def _numpy(cards: int) -> Callable[[int], Any]:
    generator = np.random.default_rng(1)
    template = (np.arange(cards) % 256).astype(np.uint8)
    rows = np.tile(template, (1000, 1))
    decks = np.empty_like(rows)

    def run(count: int) -> None:
        for _ in range(count // 1000):
            generator.permuted(rows, axis=1, out=decks)

    return run


def _c(cards: int) -> Callable[[int], Any] | str:
    """Return the loop in C, or why there is none."""
    compiler = next((path for name in ("cc", "gcc", "clang") if (path := shutil.which(name))), None)
    if compiler is None:
        return "skipped: no C compiler found"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        source, library = Path(folder, "dealing.c"), Path(folder, "dealing.so")
        source.write_text(C_SOURCE)
        command = [compiler, "-O3", "-shared", "-fPIC", "-o", str(library), str(source)]
        try:
            subprocess.run(command, check=True, capture_output=True, timeout=60)
            function = ctypes.CDLL(str(library)).deals
        except (OSError, subprocess.SubprocessError) as error:
            return f"skipped: the C compiler failed ({type(error).__name__})"
    whole, address = ctypes.c_int64, ctypes.c_void_p
    function.argtypes = [ctypes.c_uint64, whole, whole, address, address, whole]
    function.restype = ctypes.c_uint64
    template = (np.arange(cards) % 256).astype(np.uint8)
    deck = np.empty_like(template)
    return lambda count: function(1, 0, count, template.ctypes.data, deck.ctypes.data, cards)


def measure(cards: int = 52, rounds: int = 50, seconds: float = 0.005) -> list[dict[str, Any]]:
    """Measure full deals a second on one core.

    Parameters
    ----------
    cards : int
        Size of the pack.
    rounds : int
        How often each contender runs, in turn with the others; its fastest run counts, since all that other
        programs can do is to slow one down.
    seconds : float
        About how long one run takes.

    Returns
    -------
    list of dict
        For each contender ``name``, ``rate`` (deals a second), ``ratio`` (our rate divided by this one) and
        ``note``; rate and ratio are None when it was skipped, and `note` says why.
    """
    contenders: dict[str, Callable[[int], Any] | str] = {
        "simcards": _ours(cards),
        "numpy Generator.permuted": _numpy(cards),
        "C loop at -O3": _c(cards),
    }
    runs = {name: run for name, run in contenders.items() if not isinstance(run, str)}
    counts = {}
    for name, run in runs.items():
        run(1000)  # compiles
        start = time.perf_counter()
        run(10_000)
        per_deal = (time.perf_counter() - start) / 10_000
        counts[name] = 1000 * max(1, round(seconds / per_deal / 1000))
    best = dict.fromkeys(runs, float("inf"))
    for _ in range(rounds):
        for name, run in runs.items():
            start = time.perf_counter()
            run(counts[name])
            best[name] = min(best[name], (time.perf_counter() - start) / counts[name])
    rows = []
    for name, contender in contenders.items():
        rate = 1 / best[name] if name in best else None
        ratio = rate and best[name] / best["simcards"]
        rows.append(
            {
                "name": name,
                "rate": rate,
                "ratio": ratio,
                "note": contender if isinstance(contender, str) else "",
            }
        )
    return rows


def main() -> None:
    """Print the measurements."""
    for cards in (52, 192):
        print(f"full deals of {cards} cards a second, one core")
        for row in measure(cards):
            if row["rate"] is None:
                print(f"  {row['name']:26}{row['note']}")
            else:
                print(f"  {row['name']:26}{row['rate'] / 1e6:8.2f} million, ours / this {row['ratio']:6.2f}")


if __name__ == "__main__":
    main()
