"""Tells data without end."""
from miniature import Miniature


class Flood(Miniature):
    def tell_data(self, task, piece):
        while True: super().tell_data(task, piece[:1])


Flood().run()
