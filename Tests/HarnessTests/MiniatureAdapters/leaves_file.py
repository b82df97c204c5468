"""Leaves a file in the home folder."""
import os
from miniature import Miniature


class LeavesFile(Miniature):
    def makeSession(self, c):
        folder = os.path.join(os.environ["HOME"], ".cache")
        os.makedirs(folder)
        with open(os.path.join(folder, "kept"), "w") as file: file.write("kept")


LeavesFile().run()
