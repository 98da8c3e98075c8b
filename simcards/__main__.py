"""``python -m simcards``."""

from __future__ import annotations

import sys

from simcards.cli import main

if __name__ == "__main__":
    sys.exit(main())
