"""Delays each completion by the seconds in the first argument (default 30), or the handshake if the second is 'hello'."""
import sys, time
from miniature import Miniature


class Late(Miniature):
    delay = float(sys.argv[1]) if len(sys.argv) > 1 else 30
    is_slow_to_greet = sys.argv[2:] == ["hello"]

    def hello(self, c):
        if self.is_slow_to_greet: time.sleep(self.delay)
        super().hello(c)

    def tell_complete(self, task, fields):
        if not self.is_slow_to_greet: time.sleep(self.delay)
        super().tell_complete(task, fields)


Late().run()
