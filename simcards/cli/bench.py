"""x."""
def bench() -> None:
    """x."""
