"""The client in a real browser: Debian's Chromium, driven by Playwright, against servers of our own."""
