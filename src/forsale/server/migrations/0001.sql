-- The first schema. Times are milliseconds since 1970; bodies are JSON. A published migration is never changed.

PRAGMA application_id = 0x3473616C;  -- "4sal": how a file is known to be ours

CREATE TABLE meta (
    schema_version INTEGER NOT NULL,
    probes INTEGER NOT NULL  -- counted up to see whether the file can be written
);
INSERT INTO meta VALUES (0, 0);

CREATE TABLE guests (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE tables (
    id TEXT PRIMARY KEY,
    last INTEGER NOT NULL,  -- the place of the latest entry in the table's log
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('waiting', 'playing', 'over')),
    listed INTEGER NOT NULL CHECK (listed IN (0, 1)),
    host TEXT NOT NULL,
    guests TEXT NOT NULL,  -- a JSON array, by seat
    wake_at INTEGER
) WITHOUT ROWID;
CREATE INDEX tables_due ON tables (wake_at) WHERE wake_at IS NOT NULL;
CREATE INDEX tables_listed ON tables (created) WHERE listed = 1 AND status = 'waiting';
CREATE INDEX tables_unfinished ON tables (host) WHERE status <> 'over';

CREATE TABLE log (
    table_id TEXT NOT NULL REFERENCES tables ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (table_id, seq)
) WITHOUT ROWID;

CREATE TABLE seats (
    table_id TEXT NOT NULL REFERENCES tables ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    guest TEXT NOT NULL,
    PRIMARY KEY (table_id, seat)
) WITHOUT ROWID;
CREATE INDEX seats_guest ON seats (guest);

-- Who sits where follows tables.guests, which few entries change.
CREATE TRIGGER seats_of_new_table AFTER INSERT ON tables BEGIN
    INSERT INTO seats SELECT new.id, key, value FROM json_each(new.guests) WHERE value IS NOT NULL;
END;
CREATE TRIGGER seats_of_table AFTER UPDATE OF guests ON tables WHEN old.guests <> new.guests BEGIN
    DELETE FROM seats WHERE table_id = new.id;
    INSERT INTO seats SELECT new.id, key, value FROM json_each(new.guests) WHERE value IS NOT NULL;
END;

CREATE TABLE results (
    table_id TEXT NOT NULL REFERENCES tables ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    guest TEXT NOT NULL,
    place INTEGER NOT NULL,
    score INTEGER NOT NULL,
    share REAL NOT NULL,
    PRIMARY KEY (table_id, seat)
) WITHOUT ROWID;
CREATE INDEX results_guest ON results (guest);

CREATE TABLE plans (
    table_id TEXT NOT NULL REFERENCES tables ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (table_id, seat)
) WITHOUT ROWID;

CREATE TABLE links (
    digest BLOB PRIMARY KEY,
    guest TEXT NOT NULL,
    expires INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE keys (
    name TEXT PRIMARY KEY,
    value BLOB NOT NULL
) WITHOUT ROWID;
