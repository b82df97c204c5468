"""Nothing is wrong: what is caught here is the harness's mistake."""
from miniature import Miniature


class Correct(Miniature):
    pass


Correct().run()
