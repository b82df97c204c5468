"""Sends each request ten thousand times."""
from miniature import Miniature


class RequestFlood(Miniature):
    def request(self, task):
        for _ in range(9_999): super().request(task).read()
        return super().request(task)


RequestFlood().run()
