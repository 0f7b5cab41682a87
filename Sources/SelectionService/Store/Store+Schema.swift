extension Store {
    /// The steps of the schema.
    static let schema = [
        """
        -- The number of the last change of any session.
        CREATE TABLE counter(only INTEGER PRIMARY KEY CHECK(only = 1), revision INTEGER NOT NULL);
        INSERT INTO counter VALUES(1, 0);

        -- record: JSON; sum: its FNV-1a; seen: the catalog's revision that is taken into account.
        CREATE TABLE sessions(
          number INTEGER PRIMARY KEY AUTOINCREMENT,
          session TEXT NOT NULL UNIQUE,
          catalog TEXT NOT NULL,
          revision INTEGER NOT NULL,
          updated INTEGER NOT NULL,
          seen INTEGER NOT NULL,
          record BLOB NOT NULL,
          sum INTEGER NOT NULL);
        CREATE INDEX sessionsOfCatalog ON sessions(catalog, number);
        CREATE INDEX sessionsByUpdate ON sessions(updated);

        -- Places of history, but not the current one, which is in the session's record.
        CREATE TABLE places(
          session INTEGER NOT NULL,
          position INTEGER NOT NULL,
          record BLOB NOT NULL,
          sum INTEGER NOT NULL,
          PRIMARY KEY(session, position)) WITHOUT ROWID;

        -- Which place of which session names a thing, by its digest; position -1 is what is unfolded.
        CREATE TABLE holds(
          thing INTEGER NOT NULL,
          session INTEGER NOT NULL,
          position INTEGER NOT NULL,
          PRIMARY KEY(thing, session, position)) WITHOUT ROWID;

        -- settled: the revision up to which all sessions of the catalog are known to be right.
        CREATE TABLE catalogs(
          catalog TEXT PRIMARY KEY NOT NULL,
          columns INTEGER,
          settled INTEGER NOT NULL) WITHOUT ROWID;

        -- What could not be read, kept for a person to look at.
        CREATE TABLE damaged(session TEXT NOT NULL, kept INTEGER NOT NULL, record BLOB NOT NULL);
        """,
        """
        -- The index of `holds` does not say any more in which place: going to and fro changes nothing in it.
        CREATE TABLE held(
          thing INTEGER NOT NULL, session INTEGER NOT NULL, PRIMARY KEY(thing, session)) WITHOUT ROWID;
        INSERT INTO held SELECT DISTINCT thing, session FROM holds;
        DROP TABLE holds;
        ALTER TABLE held RENAME TO holds;

        -- hour: that of `updated`, since 1970, so that its index changes once an hour, and not with each event.
        ALTER TABLE sessions ADD COLUMN hour INTEGER NOT NULL DEFAULT 0;
        UPDATE sessions SET hour = updated / 3600000;
        DROP INDEX sessionsByUpdate;
        CREATE INDEX sessionsByHour ON sessions(hour);
        """,
        """
        -- What turns did to sessions whose rows do not tell it yet; entry: JSON; sum: its digest by words.
        CREATE TABLE journal(
          number INTEGER PRIMARY KEY, session TEXT NOT NULL, entry BLOB NOT NULL, sum INTEGER NOT NULL);

        -- Eight neighbouring places of history are a row; what was written before has no sum.
        CREATE TABLE pieces(
          session INTEGER NOT NULL,
          piece INTEGER NOT NULL,
          record BLOB NOT NULL,
          sum INTEGER,
          PRIMARY KEY(session, piece)) WITHOUT ROWID;
        INSERT INTO pieces
          SELECT session, position / 8,
            CAST('[' || group_concat('{"position":' || position || ',"place":' || record || '}') || ']' AS BLOB), NULL
          FROM places GROUP BY session, position / 8;
        DROP TABLE places;
        """,
        """
        -- The journal in pages, which are written over when the rows tell what they say: then a turn writes only the pages
        -- that it fills. entries: a head, with the number of the page, which grows, and entries, framed; all have digests.
        CREATE TABLE journalPages(page INTEGER PRIMARY KEY, entries BLOB NOT NULL);

        -- done: the number of the last page whose entries the rows tell. What is in the table journal is read once more.
        ALTER TABLE counter ADD COLUMN done INTEGER NOT NULL DEFAULT 0;
        -- sum: the digest of both numbers; what was written before has none.
        ALTER TABLE counter ADD COLUMN sum INTEGER;
        """,
        """
        -- States are without what is usual from now on, in records and entries: earlier versions could not read them.
        """,
    ]
}
