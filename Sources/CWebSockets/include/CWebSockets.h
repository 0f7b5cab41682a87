#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What the WebSockets target needs of libwebsockets: a server for one page and its WebSockets on a libuv loop that
// somebody else runs. libwebsockets itself is not seen from here: its headers bring in those of libuv and of OpenSSL.

/// A listening server.
typedef struct CWebSockets_server CWebSockets_server;
/// A connection: a request to be answered, or a WebSocket. It is valid within a callback, and from `opened` to `closed`.
typedef struct lws CWebSockets_connection;

/// What is told. No callback may close the server.
typedef struct {
    /// There are `connectionsMax` connections, and one more was refused.
    void (*refused)(void *owner);
    /// A request: CWebSockets_answer must be called before this returns.
    void (*requested)(void *owner, CWebSockets_connection *);
    /// A request to become a WebSocket: the object that stands for it, or null if CWebSockets_answer refused it.
    void *(*upgrading)(void *owner, CWebSockets_connection *);
    /// It is a WebSocket now.
    void (*opened)(void *object, CWebSockets_connection *);
    /// A part of a message; false ends it with what CWebSockets_set_reason said.
    bool (*received)(void *object, const uint8_t *bytes, size_t count, bool isText, bool isLast);
    /// It takes a message now; false ends the connection without a word.
    bool (*writable)(void *object);
    /// It is no more, or never became one; the object is not used any more.
    void (*closed)(void *object);
} CWebSockets_callbacks;

/// Bounds of a server.
typedef struct {
    unsigned headerBytesMax;       // of a request, all headers together
    unsigned connectionsMax;       // also those that are no WebSocket (yet)
    unsigned requestSecondsMax;    // until a request is complete
    unsigned idleSecondsMax;       // without a request on a connection that had one
    unsigned pingSeconds;          // of silence of a WebSocket until it is pinged
    unsigned deadSeconds;          // of silence of a WebSocket until it is given up
} CWebSockets_limits;

/// Listens on a numeric IPv4 or IPv6 address; `port` 0 is any free one, and is set to the one that it is.
/// `loop` is a uv_loop_t. `headers`, in the form of CWebSockets_answer's and at most 8, are put into every answer, also
/// into those that libwebsockets gives by itself. Null if it can't listen there or the plugin for libuv is missing.
CWebSockets_server *CWebSockets_listen(void *loop, const char *address, int *port, CWebSockets_limits limits,
                                       const char *headers, const CWebSockets_callbacks *callbacks, void *owner);
/// Ends all connections at once. The loop has handles of the server for some more turns.
void CWebSockets_close(CWebSockets_server *server);

enum { CWebSockets_path, CWebSockets_host, CWebSockets_origin, CWebSockets_cookie, CWebSockets_query };

/// Copies a header of a request, NUL at its end: its length, or -1 if it is missing or longer than `capacity` - 1.
int CWebSockets_header(CWebSockets_connection *connection, int header, char *buffer, int capacity);
/// Whether the request is a GET.
bool CWebSockets_is_get(CWebSockets_connection *connection);
/// Answers a request. `headers` are names (in small letters, with colon) and values by turns, each ended by NUL, and
/// then another NUL. The connection ends with what was no GET, or had a body.
void CWebSockets_answer(CWebSockets_connection *connection, unsigned status, const char *headers, const uint8_t *body,
                        size_t count);

/// Asks for a call of `writable`.
void CWebSockets_want_writable(CWebSockets_connection *connection);
/// Sends a text message; within `writable` only, and once. False if the connection is broken.
bool CWebSockets_send(CWebSockets_connection *connection, const uint8_t *bytes, size_t count);
/// The code and the sentence with which the connection will be closed; at most 123 bytes.
void CWebSockets_set_reason(CWebSockets_connection *connection, unsigned code, const char *reason, size_t count);
/// Ends the connection with what CWebSockets_set_reason said; not within a callback.
void CWebSockets_end(CWebSockets_connection *connection);
/// Ends the connection soon, without waiting for what is queued.
void CWebSockets_cut(CWebSockets_connection *connection);
/// Whether what arrives is taken.
void CWebSockets_read(CWebSockets_connection *connection, bool isReading);

/// Unguessable bytes; false if the system gives none.
bool CWebSockets_random(uint8_t *bytes, size_t count);
/// SHA-256: writes 32 bytes. OpenSSL's, which libwebsockets brings along.
void CWebSockets_digest(const uint8_t *bytes, size_t count, uint8_t *digest);
