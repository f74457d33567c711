"""The log of the process that the tests run in."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def log_as_before() -> Iterator[None]:
    """Undo what is done meanwhile to the log: levels, handlers and the hook for uncaught exceptions."""
    root, hook = logging.getLogger(), sys.excepthook
    handlers, levels = list(root.handlers), {each: each.level for each in (root, *_loggers())}
    try:
        yield
    finally:
        root.handlers[:] = handlers
        sys.excepthook = hook
        for logger in (root, *_loggers()):
            before = levels.get(logger, logging.NOTSET)
            if logger.level != before:
                logger.setLevel(before)


def _loggers() -> list[logging.Logger]:
    return [each for each in logging.root.manager.loggerDict.values() if isinstance(each, logging.Logger)]
