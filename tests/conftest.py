"""What holds for all tests."""

import signal


def pytest_configure(config):
    # a run in the background of a script ignores Ctrl-C, and so would all programs that are started to be interrupted
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
