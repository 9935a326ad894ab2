"""Read a table from the store a page at a time: a long log must not hold up the event loop."""

from forsale.server.store import Store, Unreadable
from forsale.server.table import Table, fold

PAGE = 250
"""Entries that are read and folded at once: about three milliseconds of work."""


async def load_table(table_id: str, store: Store) -> Table | None:
    """A table from its log; None for an unknown one. Raises `Unreadable` if its log makes no sense."""
    table: Table | None = None
    while page := await store.read(table_id, after=table.seq if table else 0, limit=PAGE):
        try:
            table = fold(table_id, page, table)
        except Exception as error:  # what was checked before it was written can break any rule if the file was changed
            raise Unreadable(table_id, f"its log cannot be replayed ({error})") from error
        if len(page) < PAGE:
            break
    return table
