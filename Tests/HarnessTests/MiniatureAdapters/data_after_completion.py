"""Reports one more piece of data after the completion."""
from miniature import Miniature


class DataAfterCompletion(Miniature):
    def tell_complete(self, task, fields):
        super().tell_complete(task, fields)
        self.tell_data(task, b"late")


DataAfterCompletion().run()
