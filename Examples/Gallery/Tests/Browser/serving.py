"""The gallery's page, served by a process of its own, and a browser that shows it."""

import os
import select
import signal
import subprocess
from contextlib import contextmanager

from playwright.sync_api import sync_playwright

SECONDS = 60  # A bound for every wait: much longer than any takes.


@contextmanager
def serving(program, folder):
    """Serves the page; yields its address, and at the end checks that Ctrl-C ends the program."""
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
    """Chromium, without a window."""
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=os.environ["BROWSER"])
