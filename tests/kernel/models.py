"""The random generators once more, written with Python's integers from their publications."""

WORD = 2**64
GOLDEN = 0x9E3779B97F4A7C15


def py_mix(word):
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 % WORD
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB % WORD
    return word ^ (word >> 31)


def py_seed(seed, purpose, index):
    key = py_mix((py_mix((seed + GOLDEN) % WORD) + (purpose + 1) * GOLDEN) % WORD)
    a = py_mix((key + index * GOLDEN) % WORD)
    b = a ^ py_mix(WORD - 1 - key)
    return [py_mix((start + i * GOLDEN) % WORD) for i, start in enumerate((a, a, b, b), 1)]


def rotate(word, by):
    return (word << by | word >> (64 - by)) % WORD


def py_next(state):
    """Advance a list of four integers as the authors of xoshiro256++ describe it."""
    result = (rotate((state[0] + state[3]) % WORD, 23) + state[0]) % WORD
    shifted = (state[1] << 17) % WORD
    state[2] ^= state[0]
    state[3] ^= state[1]
    state[1] ^= state[2]
    state[0] ^= state[3]
    state[2] ^= shifted
    state[3] = rotate(state[3], 45)
    return result


def py_bounded(next_word, bound, word=WORD):
    """Return a draw below the bound, from words below `word`."""
    while True:
        product = next_word() * bound
        if product % word >= word % bound:
            return product // word
