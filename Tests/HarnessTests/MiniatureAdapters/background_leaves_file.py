"""Fault: a delivered file stays in the container."""
from background import Background


class LeavesFile(Background):
    def remove(self, path): pass


LeavesFile.main()
