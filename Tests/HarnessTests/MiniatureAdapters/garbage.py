"""Prints a line that is not part of the protocol."""
from miniature import Miniature


class Garbage(Miniature):
    def hello(self, c):
        super().hello(c)
        self.write("DEBUG: session pool warmed up\n")


Garbage().run()
