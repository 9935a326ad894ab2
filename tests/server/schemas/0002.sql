PRAGMA application_id = 879976812;
BEGIN TRANSACTION;
CREATE TABLE guests (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL
, sign_outs INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
INSERT INTO "guests" VALUES('ana','Ana',1,1,0);
INSERT INTO "guests" VALUES('bo','Bo “B” O’Neill',2,2,0);
CREATE TABLE keys (
    name TEXT PRIMARY KEY,
    value BLOB NOT NULL
) WITHOUT ROWID;
INSERT INTO "keys" VALUES('cookies',X'0000000000000000000000000000000000000000000000000000000000000000');
CREATE TABLE links (
    digest BLOB PRIMARY KEY,
    guest TEXT NOT NULL,
    expires INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO "links" VALUES(X'00FF','ana',7000);
CREATE TABLE log (
    table_id TEXT NOT NULL REFERENCES tables ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (table_id, seq)
) WITHOUT ROWID;
INSERT INTO "log" VALUES('done',1,900,'{"kind":"opened","options":{"edition":"iello-2020","variant":null,"seats":3,"listed":false,"clock":{"kind":"none"},"tracker":false,"bot":"broker","chat":true},"host":"ana","secret":"0000000000000000000000000000000000000000000000000000000000000000"}');
INSERT INTO "log" VALUES('done',2,901,'{"kind":"started","bots":[null,"broker",null]}');
INSERT INTO "log" VALUES('done',3,902,'{"kind":"acted","seat":0,"action":{"kind":"bid","amount":1},"by":"stand-in"}');
INSERT INTO "log" VALUES('live',1,1001,'{"kind":"opened","options":{"edition":"iello-2020","variant":null,"seats":3,"listed":false,"clock":{"kind":"none"},"tracker":false,"bot":"broker","chat":true},"host":"ana","secret":"0000000000000000000000000000000000000000000000000000000000000000"}');
INSERT INTO "log" VALUES('live',2,1002,'{"kind":"joined","seat":1,"guest":"bo","name":"Bo","seed":"ü"}');
INSERT INTO "log" VALUES('open',1,1000,'{"kind":"opened","options":{"edition":"iello-2020","variant":null,"seats":3,"listed":false,"clock":{"kind":"none"},"tracker":false,"bot":"broker","chat":true},"host":"ana","secret":"0000000000000000000000000000000000000000000000000000000000000000"}');
CREATE TABLE meta (
    schema_version INTEGER NOT NULL,
    probes INTEGER NOT NULL  -- counted up to see whether the file can be written
, host_cookies_since INTEGER NOT NULL DEFAULT 0);
INSERT INTO "meta" VALUES(2,0,0);
CREATE TABLE plans (
    table_id TEXT NOT NULL REFERENCES tables ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (table_id, seat)
) WITHOUT ROWID;
INSERT INTO "plans" VALUES('live',1,'{"auction":2,"plan":{"kind":"raise-to","limit":4}}');
CREATE TABLE results (
    table_id TEXT NOT NULL REFERENCES tables ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    guest TEXT NOT NULL,
    place INTEGER NOT NULL,
    score INTEGER NOT NULL,
    share REAL NOT NULL,
    PRIMARY KEY (table_id, seat)
) WITHOUT ROWID;
INSERT INTO "results" VALUES('done',0,'ana',1,31,0.5);
INSERT INTO "results" VALUES('done',2,'bo',1,31,0.5);
CREATE TABLE seats (
    table_id TEXT NOT NULL REFERENCES tables ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    guest TEXT NOT NULL,
    PRIMARY KEY (table_id, seat)
) WITHOUT ROWID;
INSERT INTO "seats" VALUES('done',0,'ana');
INSERT INTO "seats" VALUES('live',0,'ana');
INSERT INTO "seats" VALUES('done',2,'bo');
INSERT INTO "seats" VALUES('live',1,'bo');
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
INSERT INTO "tables" VALUES('done',3,900,902,'over',0,'bo','["ana",null,"bo"]',NULL);
INSERT INTO "tables" VALUES('live',2,1001,1002,'playing',0,'ana','["ana","bo",null]',5000);
INSERT INTO "tables" VALUES('open',1,1000,1000,'waiting',1,'ana','[null,null,null]',NULL);
CREATE INDEX tables_due ON tables (wake_at) WHERE wake_at IS NOT NULL;
CREATE INDEX tables_listed ON tables (created) WHERE listed = 1 AND status = 'waiting';
CREATE INDEX tables_unfinished ON tables (host) WHERE status <> 'over';
CREATE INDEX seats_guest ON seats (guest);
CREATE TRIGGER seats_of_new_table AFTER INSERT ON tables BEGIN
    INSERT INTO seats SELECT new.id, key, value FROM json_each(new.guests) WHERE value IS NOT NULL;
END;
CREATE TRIGGER seats_of_table AFTER UPDATE OF guests ON tables WHEN old.guests <> new.guests BEGIN
    DELETE FROM seats WHERE table_id = new.id;
    INSERT INTO seats SELECT new.id, key, value FROM json_each(new.guests) WHERE value IS NOT NULL;
END;
CREATE INDEX results_guest ON results (guest);
CREATE INDEX links_expires ON links (expires);
CREATE INDEX links_guest ON links (guest);
CREATE INDEX tables_finished ON tables (host) WHERE status = 'over';
COMMIT;
