"""Reports each completion twice."""
from miniature import Miniature


class DoubleCompletion(Miniature):
    def tell_complete(self, task, fields):
        super().tell_complete(task, fields)
        super().tell_complete(task, fields)


DoubleCompletion().run()
