"""Fault: the daemon ends with the app, and its tasks are lost."""
import os
from background import Background, Daemon


class Mortal(Daemon):
    def serve(self, connection):
        super().serve(connection)
        os._exit(0)


class Loses(Background):
    daemon = Mortal


Loses.main()
