"""The control without a fault: any failure here is an error of the harness."""
from miniature import Miniature


class Correct(Miniature):
    pass


Correct().run()
