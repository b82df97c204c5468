"""Reports the session's last callback before the completions of its tasks."""
from miniature import Miniature


class CompletesAfterInvalidation(Miniature):
    def invalidate(self, c):
        self.tell_invalid(c["session"])
        for task in self.tasks.values(): self.complete(task, -999)


CompletesAfterInvalidation().run()
