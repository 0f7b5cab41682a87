#pragma once
#include <sqlite3.h>

/// SQLITE_TRANSIENT is a cast of -1 to a function pointer, which Swift can't import: SQLite copies the bytes.
/// A text without bytes needs an address all the same, or it is bound as NULL.
static inline int CSQLite_bind_text(sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 bytes) {
    return sqlite3_bind_text64(statement, index, bytes == 0 ? "" : text, bytes, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// As above, for bytes that are no text.
static inline int CSQLite_bind_blob(sqlite3_stmt *statement, int index, const void *blob, sqlite3_uint64 bytes) {
    return sqlite3_bind_blob64(statement, index, bytes == 0 ? "" : blob, bytes, SQLITE_TRANSIENT);
}

/// sqlite3_db_config is variadic, which Swift can't call. Double quotes shall quote names only, never texts, and a
/// damaged schema shall not run anything.
static inline int CSQLite_harden(sqlite3 *database) {
    int result = sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
    if (result == SQLITE_OK) result = sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)0);
    if (result == SQLITE_OK) result = sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
    return result;
}

/// Moves the log of a file into it, as far as nobody reads an older state, on a connection of its own: so it may be
/// called on another thread than that of all other connections.
static inline int CSQLite_checkpoint(const char *path) {
    sqlite3 *database = 0;
    int result = sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOMUTEX, 0);
    /* Only who has read knows that there is a log. */
    if (result == SQLITE_OK) result = sqlite3_exec(database, "PRAGMA schema_version", 0, 0, 0);
    if (result == SQLITE_OK) result = sqlite3_wal_checkpoint_v2(database, 0, SQLITE_CHECKPOINT_PASSIVE, 0, 0);
    sqlite3_close_v2(database);
    return result;
}
