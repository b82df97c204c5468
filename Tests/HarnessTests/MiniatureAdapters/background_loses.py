"""Fault: the daemon ends with the app, and its tasks are lost."""
import os
from background import Background, Daemon


class Mortal(Daemon):
    # A task that was complete before the daemon saw that the app had ended is lost as well.
    def launch(self, session): pass

    def serve(self, connection):
        super().serve(connection)
        os._exit(0)


class Loses(Background):
    daemon = Mortal


Loses.main()
