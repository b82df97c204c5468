"""Changes byte 1000 of every body."""
from miniature import Miniature


class WrongBytes(Miniature):
    offset = 1000

    def take(self, task, piece, expected):
        at = self.offset - len(task.held)
        if 0 <= at < len(piece): piece = piece[:at] + bytes([piece[at] ^ 1]) + piece[at + 1:]
        super().take(task, piece, expected)


WrongBytes().run()
