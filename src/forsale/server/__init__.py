"""Tables for people: protocol, store, bus, table, lobby, app."""
