-- Sign out everywhere, cookies with the __Host- prefix, and clearing away guests who never played.

-- Part of every cookie: one with a lower count is no longer valid.
ALTER TABLE guests ADD COLUMN sign_outs INTEGER NOT NULL DEFAULT 0;

-- When cookies under https got the __Host- prefix; 0 where none without it was ever issued.
ALTER TABLE meta ADD COLUMN host_cookies_since INTEGER NOT NULL DEFAULT 0;
UPDATE meta SET host_cookies_since = CAST(strftime('%s', 'now') AS INTEGER) * 1000 WHERE EXISTS (SELECT 1 FROM keys);

CREATE INDEX links_expires ON links (expires);
CREATE INDEX links_guest ON links (guest);

-- Whether a guest opened any table. Unfinished ones have an index already; one index for both would be rewritten with
-- every entry of a game.
CREATE INDEX tables_finished ON tables (host) WHERE status = 'over';
