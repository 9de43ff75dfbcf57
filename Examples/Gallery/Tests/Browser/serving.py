"""Serves the gallery's page in its own process, and opens a browser that shows the page."""

import os
import select
import signal
import subprocess
from contextlib import contextmanager

from playwright.sync_api import sync_playwright

SECONDS = 60  # The time limit of every wait, much longer than any wait takes.


@contextmanager
def serving(program, folder):
    """Serves the page and yields its address. At the end, checks that Ctrl-C ends the program."""
    process = subprocess.Popen([program, "--serve", "0", "--output", folder], stdout=subprocess.PIPE, text=True)
    try:
        if not select.select([process.stdout], [], [], SECONDS)[0]:
            raise SystemExit("error: the program did not say within a minute where its page is")
        yield process.stdout.readline().split()[0]
        process.send_signal(signal.SIGINT)
        if (status := process.wait(SECONDS)) != 130:
            raise SystemExit(f"error: after Ctrl-C the status is {status}, not 130")
    finally:
        process.kill()


@contextmanager
def browser():
    """Opens Chromium without a window."""
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=os.environ["BROWSER"])
