"""The adapter of the positive control: the Python adapter with another session."""
import os, sys

adapters = os.path.join(os.path.dirname(os.path.abspath(__file__)), *[".."] * 3, "scripts", "adapters")
sys.path[:0] = [adapters, os.path.dirname(os.path.abspath(__file__))]
import control_client, control_session, python_session

python_session.Session = control_session.Session
source = open(os.path.join(adapters, "python-adapter.py")).read()
more = f"waitsForConnectivity allowsCellularAccess maximumConnectionsPerHost {control_client.CAPABILITIES}"
source = source.replace("    end=lambda", control_client.COMMANDS + "    end=lambda")
exec(compile(source.replace('inspectTask"""', f'inspectTask {more}"""'), "python-adapter.py", "exec"))
