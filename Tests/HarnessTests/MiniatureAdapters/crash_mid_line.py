"""Crashes with SIGSEGV in the middle of the line for the first data or the first progress."""
import signal
from miniature import Miniature


class CrashMidLine(Miniature):
    def emit(self, event, **fields):
        if event not in ("didReceiveData", "didWriteData"): return super().emit(event, **fields)
        with self.lock:
            line = self.line(event, **fields)
            self.write(line[:len(line) // 2])
            signal.raise_signal(signal.SIGSEGV)  # To this thread: another would leave it time to write on.


CrashMidLine().run()
