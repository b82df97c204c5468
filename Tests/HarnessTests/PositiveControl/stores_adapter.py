"""The adapter of the positive control for a session's stores: the Python adapter with another session."""
import os, sys

adapters = os.path.join(os.path.dirname(os.path.abspath(__file__)), *[".."] * 3, "scripts", "adapters")
sys.path[:0] = [adapters, os.path.dirname(os.path.abspath(__file__))]
import python_session, stores_session

python_session.Session = stores_session.Session
source = open(os.path.join(adapters, "python-adapter.py")).read()
more = """cache cachePolicy cacheStorage cacheDecision cacheLookup cookies cookieAcceptance cookieControl cookieStorage credentialStorage"""
source = source.replace('inspectTask"""', f'inspectTask {more}"""')
look = 'inspectCache=lambda c: emit("cacheInspected", task=c["task"], **tasks[c["task"]].look_into_the_cache()),'
exec(compile(source.replace("    end=lambda", f"    {look}\n    end=lambda"), "python-adapter.py", "exec"))
