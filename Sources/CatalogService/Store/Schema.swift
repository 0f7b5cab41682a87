/// The steps of the schema.
///
/// They only ever get more: a file says how many of them it has been through.
enum Schema {
    static let steps = [
        """
        CREATE TABLE counter(revision INTEGER NOT NULL) STRICT;
        INSERT INTO counter VALUES(0);

        -- A key is never used again, because what belonged to a dropped catalog is cleared up later.
        CREATE TABLE catalog(
          key INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, title TEXT NOT NULL,
          columns INTEGER NOT NULL, nesting TEXT NOT NULL, strings BLOB NOT NULL, revision INTEGER NOT NULL,
          categoryCount INTEGER NOT NULL DEFAULT 0, itemCount INTEGER NOT NULL DEFAULT 0) STRICT;
        CREATE TABLE dropped(catalog INTEGER PRIMARY KEY) STRICT;

        -- row: {"id","title","icon","badge","section"} as it is sent.
        CREATE TABLE category(
          key INTEGER PRIMARY KEY, catalog INTEGER NOT NULL, id TEXT NOT NULL, place BLOB NOT NULL,
          parent INTEGER, itemCount INTEGER NOT NULL DEFAULT 0, created INTEGER NOT NULL, row BLOB NOT NULL,
          UNIQUE(catalog, id)) STRICT;
        CREATE INDEX category_place ON category(catalog, place);
        CREATE INDEX category_parent ON category(parent);

        -- row: {"id","title","subtitle","icon","badge","date"} as it is sent; title and date: the keys in the lists;
        -- words: the folded words of all its texts. Details are last: what is in front of them is read without them.
        CREATE TABLE item(
          key INTEGER PRIMARY KEY, catalog INTEGER NOT NULL, id TEXT NOT NULL, created INTEGER NOT NULL,
          row BLOB NOT NULL, title BLOB NOT NULL, date BLOB NOT NULL, words TEXT NOT NULL,
          hasLinks INTEGER NOT NULL, blocks BLOB NOT NULL, UNIQUE(catalog, id)) STRICT;
        CREATE TABLE membership(
          item INTEGER NOT NULL, category INTEGER NOT NULL, ordinal INTEGER NOT NULL, place BLOB NOT NULL,
          PRIMARY KEY(item, category)) STRICT, WITHOUT ROWID;

        -- Every list in every order. list: the key of a category, or the negative key of a catalog. The rows of an
        -- order are spread over runs, each of which is sorted; positions, which mostly grow, are all in run 0.
        CREATE TABLE entry(
          run INTEGER NOT NULL, list INTEGER NOT NULL, sort INTEGER NOT NULL, key BLOB NOT NULL,
          id TEXT NOT NULL, item INTEGER NOT NULL, PRIMARY KEY(run, list, sort, key, id)) STRICT, WITHOUT ROWID;
        -- target: the run into which this one is being moved.
        CREATE TABLE run(
          number INTEGER PRIMARY KEY, level INTEGER NOT NULL, rows INTEGER NOT NULL, target INTEGER) STRICT;

        -- Where words occur. The number of a row is that of the category and of the item in it, so that the rows of
        -- a category follow each other. Every byte that a word can have is one of a token.
        CREATE VIRTUAL TABLE search USING fts5(
          text, content = '', columnsize = 0, prefix = '1 2 3',
          tokenize = "ascii tokenchars '$+<=>^`|~'");
        """,
        """
        -- Each list in each order is divided into stretches: key and id say where one ends, at a row or between two, and
        -- rows how many it has. Behind the last one there is no row.
        CREATE TABLE milestone(
          list INTEGER NOT NULL, sort INTEGER NOT NULL, key BLOB NOT NULL, id TEXT NOT NULL,
          rows INTEGER NOT NULL, PRIMARY KEY(list, sort, key, id)) STRICT, WITHOUT ROWID;
        -- Those that are to be divided.
        CREATE INDEX milestone_long ON milestone(list) WHERE rows > \(stretchRowsMax);
        INSERT INTO milestone SELECT list, sort, x'FFFFFF', '', count(*) FROM entry GROUP BY list, sort;
        """,
    ]

    /// Rows of a stretch beyond which it is divided: as many are counted in a fraction of a millisecond.
    static let stretchRowsMax = 2_048
}
