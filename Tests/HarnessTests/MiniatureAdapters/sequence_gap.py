"""Omits the sequence number of the response."""
from miniature import Miniature


class SequenceGap(Miniature):
    def tell_response(self, *response):
        self.sequence += 1
        super().tell_response(*response)


SequenceGap().run()
