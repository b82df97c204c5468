"""Never replies to the handshake."""
from miniature import Miniature


class Silent(Miniature):
    def hello(self, c): pass


Silent().run()
