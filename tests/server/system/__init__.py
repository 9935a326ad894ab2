"""The whole server, as a process of its own, and many clients at it."""
