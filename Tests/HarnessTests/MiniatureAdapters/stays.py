"""Does not exit on `end`, nor at the end of its input."""
import threading
from miniature import Miniature


class Stays(Miniature):
    def end(self, c): threading.Event().wait()


Stays().run()
