"""Uses protocol version 1."""
from miniature import Miniature


class WrongVersion(Miniature):
    version = 1


WrongVersion().run()
