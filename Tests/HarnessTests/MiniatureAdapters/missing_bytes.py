"""Omits the last ten bytes of every piece."""
from miniature import Miniature


class MissingBytes(Miniature):
    def take(self, task, piece, expected): super().take(task, piece[:-10], expected)


MissingBytes().run()
