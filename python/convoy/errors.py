"""The exceptions that Convoy raises. Messages say what was wrong, where, and what to do."""


class Error(Exception):
    """The base class of all of them."""


class UserError(Error, ValueError):
    """Something that was given is wrong: a setting, a shape, a label, a file."""


class DataError(UserError):
    """Data on disk is missing or damaged."""


class SystemError(Error, OSError):  # pylint: disable=redefined-builtin
    """The machine or another rank failed: no space, no memory, a lost process."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class DivergedError(Error, ArithmeticError):
    """Training diverged: a loss or gradient is infinite or not a number."""
