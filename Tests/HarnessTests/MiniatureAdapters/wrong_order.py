"""Reports the first data before the response."""
from miniature import Miniature


class WrongOrder(Miniature):
    kept = None

    def tell_response(self, *response): self.kept = response

    def tell_data(self, task, piece):
        super().tell_data(task, piece)
        if self.kept: super().tell_response(*self.kept)
        self.kept = None


WrongOrder().run()
