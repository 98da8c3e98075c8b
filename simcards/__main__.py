"""``python -m simcards``."""

import sys

if __name__ == "__main__":
    try:
        from simcards.cli import main
    except KeyboardInterrupt:  # before the command is there to say it itself
        print("simcards: interrupted", file=sys.stderr)
        sys.exit(130)
    sys.exit(main())
