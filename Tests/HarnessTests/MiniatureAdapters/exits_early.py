"""Exits with status 3 right after the handshake."""
import os
from miniature import Miniature


class ExitsEarly(Miniature):
    def hello(self, c):
        super().hello(c)
        os._exit(3)


ExitsEarly().run()
