"""Never reports a completion."""
from miniature import Miniature


class SilentTask(Miniature):
    def tell_complete(self, task, fields): pass


SilentTask().run()
