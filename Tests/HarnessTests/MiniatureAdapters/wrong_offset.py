"""Reports that a download resumed one byte later than requested on the wire."""
from miniature import Miniature


class WrongOffset(Miniature):
    def tell_resumed(self, task, offset, expected): super().tell_resumed(task, offset + 1, expected)


WrongOffset().run()
