"""Speaks version 2."""
from miniature import Miniature


class WrongVersion(Miniature):
    version = 2


WrongVersion().run()
