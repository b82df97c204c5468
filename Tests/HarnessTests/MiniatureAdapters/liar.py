"""Claims every capability, even those that do not exist."""
from miniature import Miniature


class Liar(Miniature):
    def offers(self, name): return True


Liar().run()
