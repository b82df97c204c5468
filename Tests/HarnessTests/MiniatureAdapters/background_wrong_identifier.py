"""Fault: the launch does not name the session."""
import os, subprocess
from background import Background, Daemon


class Silent(Daemon):
    def launch(self, session): subprocess.Popen([os.environ["CROSSWIND_LAUNCH_COMMAND"]])


class WrongIdentifier(Background):
    daemon = Silent


WrongIdentifier.main()
