"""Attacks on a server of our own, by a client that shares no code with it: `make attack`.

The client is written from docs/protocol.md alone, on plain sockets. During every attack a bystander, in a process of
its own, plays against bots and measures how long it waits for answers.
"""
