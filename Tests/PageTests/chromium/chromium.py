"""The browsers of the tests: `chromium.py PROFILE` becomes the one that they share, and writes its port there."""

import os
import sys

WHOLE = "/usr/bin/chromium"
# Without a window: half of what a browser costs goes into what surrounds a page. Not the script of that name in
# /usr/bin, which passes no signal on.
SHELL = "/usr/lib/chromium/chromium-headless-shell"

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--lang=en",
    "--window-size=1440,900"]
# What its driver adds where it starts a browser itself.
DRIVEN = ["--disable-background-networking", "--disable-client-side-phishing-detection", "--disable-default-apps",
    "--disable-hang-monitor", "--disable-popup-blocking", "--disable-prompt-on-repost", "--disable-sync",
    "--enable-automation", "--no-first-run", "--password-store=basic", "--use-mock-keychain", "--test-type=webdriver"]
# Hundreds of pages are loaded once each: nothing is made ready for a second time.
LEAN = ["--js-flags=--no-opt", "--enable-features=NetworkServiceInProcess2",
    "--disable-features=SpareRendererForSitePerProcess,BackForwardCache"]

if __name__ == "__main__":
    os.execv(SHELL, [SHELL, *FLAGS, *DRIVEN, *LEAN, "--remote-debugging-port=0", f"--user-data-dir={sys.argv[1]}",
        "about:blank"])
