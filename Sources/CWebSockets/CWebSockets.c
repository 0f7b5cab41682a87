#include "CWebSockets.h"

#include <libwebsockets.h>
#include <openssl/sha.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>

enum { headersMax = 8 };

struct CWebSockets_server {
    struct lws_context *context;
    CWebSockets_callbacks callbacks;
    void *owner;
    unsigned connections, connectionsMax;
    void *loops[1];
    lws_retry_bo_t patience;
    struct lws_protocols protocols[2];
    struct lws_protocol_vhost_options headers[headersMax];  // of every answer, its own ones too; each knows the next
};

/// What belongs to a request while it is answered.
struct answer {
    uint8_t *memory;  // LWS_PRE bytes, then the body
    size_t count;
    bool isLast;  // the connection ends with it
};

static CWebSockets_server *server_of(struct lws *connection) {
    return lws_context_user(lws_get_context(connection));
}

static void forget(struct answer *answer) {
    if (!answer) return;
    free(answer->memory);
    answer->memory = NULL;
}

static int write_body(struct lws *connection, struct answer *answer) {
    if (!answer || !answer->memory) return 0;
    // What the socket does not take is kept and sent by libwebsockets. The end of the transaction frees `answer`.
    uint8_t *memory = answer->memory;
    int count = (int)answer->count;
    answer->memory = NULL;
    int written = lws_write(connection, memory + LWS_PRE, count, LWS_WRITE_HTTP_FINAL);
    free(memory);
    return written < count || answer->isLast || lws_http_transaction_completed(connection) ? -1 : 0;
}

/// The object of a WebSocket is told its end once.
static void end(CWebSockets_server *server, struct lws *connection) {
    void *object = lws_get_opaque_user_data(connection);
    if (!object) return;
    lws_set_opaque_user_data(connection, NULL);
    server->callbacks.closed(object);
}

static int upgrade(CWebSockets_server *server, struct lws *connection, const char *to) {
    if (strcmp(to, "websocket") != 0) return -1;
    void *object = server->callbacks.upgrading(server->owner, connection);
    if (!object) return 1;
    lws_set_opaque_user_data(connection, object);
    return 0;
}

static int callback(struct lws *connection, enum lws_callback_reasons reason, void *user, void *in, size_t count) {
    CWebSockets_server *server = server_of(connection);
    if (!server) return 0;
    void *object = lws_get_opaque_user_data(connection);
    switch (reason) {
    case LWS_CALLBACK_FILTER_NETWORK_CONNECTION:
        if (server->connections < server->connectionsMax) return 0;
        server->callbacks.refused(server->owner);
        return 1;
    case LWS_CALLBACK_WSI_CREATE:
        server->connections++;
        return 0;
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: return upgrade(server, connection, in);
    case LWS_CALLBACK_HTTP:
        server->callbacks.requested(server->owner, connection);
        return 0;
    case LWS_CALLBACK_HTTP_WRITEABLE: return write_body(connection, user);
    case LWS_CALLBACK_HTTP_DROP_PROTOCOL:
    case LWS_CALLBACK_CLOSED_HTTP:
        forget(user);
        return 0;
    case LWS_CALLBACK_ESTABLISHED:
        if (!object) return -1;
        server->callbacks.opened(object, connection);
        return 0;
    case LWS_CALLBACK_RECEIVE: {
        if (!object) return -1;
        bool is_last = lws_is_final_fragment(connection) && lws_remaining_packet_payload(connection) == 0;
        bool is_text = !lws_frame_is_binary(connection);
        return server->callbacks.received(object, in, count, is_text, is_last) ? 0 : -1;
    }
    case LWS_CALLBACK_SERVER_WRITEABLE: return object && server->callbacks.writable(object) ? 0 : -1;
    case LWS_CALLBACK_CLOSED:
        end(server, connection);
        return 0;
    case LWS_CALLBACK_WSI_DESTROY:
        end(server, connection);
        if (server->connections > 0) server->connections--;  // the listener goes this way, too, and did not come
        return 0;
    default: return 0;
    }
}

/// Keeps what all answers have; libwebsockets looks at it for as long as there is a connection.
static bool keep_headers(CWebSockets_server *server, const char *headers) {
    for (int at = 0; *headers; at++) {
        char *name = strdup(headers), *value = strdup(headers + strlen(headers) + 1);
        if (at == headersMax || !name || !value) return false;
        server->headers[at] = (struct lws_protocol_vhost_options){.name = name, .value = value};
        if (at > 0) server->headers[at - 1].next = &server->headers[at];
        headers += strlen(name) + strlen(value) + 2;
    }
    return true;
}

CWebSockets_server *CWebSockets_listen(void *loop, const char *address, int *port, CWebSockets_limits limits,
                                       const char *headers, const CWebSockets_callbacks *callbacks, void *owner) {
    CWebSockets_server *server = calloc(1, sizeof *server);
    if (!server || !keep_headers(server, headers)) return NULL;
    server->callbacks = *callbacks;
    server->owner = owner;
    server->connectionsMax = limits.connectionsMax;
    server->loops[0] = loop;
    server->patience.secs_since_valid_ping = limits.pingSeconds;
    server->patience.secs_since_valid_hangup = limits.deadSeconds;
    server->protocols[0] = (struct lws_protocols){
        .name = "triptych", .callback = callback, .per_session_data_size = sizeof(struct answer),
        .rx_buffer_size = 65536};
    struct lws_context_creation_info info = {
        .port = *port, .iface = address, .protocols = server->protocols, .foreign_loops = server->loops,
        .gid = -1, .uid = -1, .user = server, .retry_and_idle_policy = &server->patience,
        .max_http_header_data2 = limits.headerBytesMax, .timeout_secs = limits.requestSecondsMax,
        .timeout_secs_ah_idle = limits.requestSecondsMax, .keepalive_timeout = limits.idleSecondsMax,
        .fd_limit_per_thread = limits.connectionsMax + 8, .vhost_name = "triptych",
        .headers = server->headers,
        // Its log would stand between our lines of JSON; what matters is told by callbacks.
        .options = LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_UV_NO_SIGSEGV_SIGFPE_SPIN
                   | LWS_SERVER_OPTION_EXPLICIT_VHOSTS | (strchr(address, ':') ? 0 : LWS_SERVER_OPTION_DISABLE_IPV6)};
    lws_set_log_level(0, NULL);
    server->context = lws_create_context(&info);
    if (!server->context) {
        free(server);
        return NULL;
    }
    struct lws_vhost *host = lws_create_vhost(server->context, &info);
    if (!host) {
        lws_context_destroy(server->context);  // its handles are on the loop until they have closed, and look at the memory
        return NULL;
    }
    *port = lws_get_vhost_listen_port(host);
    return server;
}

void CWebSockets_close(CWebSockets_server *server) {
    // The memory stays: handles of the loop that are about to close look at it.
    lws_context_destroy(server->context);
}

int CWebSockets_header(CWebSockets_connection *connection, int header, char *buffer, int capacity) {
    switch (header) {
    case CWebSockets_path: return lws_hdr_copy(connection, buffer, capacity, WSI_TOKEN_GET_URI);
    case CWebSockets_host: return lws_hdr_copy(connection, buffer, capacity, WSI_TOKEN_HOST);
    case CWebSockets_origin: return lws_hdr_copy(connection, buffer, capacity, WSI_TOKEN_ORIGIN);
    case CWebSockets_cookie: return lws_hdr_copy(connection, buffer, capacity, WSI_TOKEN_HTTP_COOKIE);
    default: return lws_hdr_copy_fragment(connection, buffer, capacity, WSI_TOKEN_HTTP_URI_ARGS, 0);
    }
}

bool CWebSockets_is_get(CWebSockets_connection *connection) {
    return lws_hdr_total_length(connection, WSI_TOKEN_GET_URI) > 0;
}

/// Whether nothing may follow a request on its connection: what has, or may have, a body, because that could be read as
/// another request.
static bool is_last(CWebSockets_connection *connection) {
    return !CWebSockets_is_get(connection) || lws_hdr_total_length(connection, WSI_TOKEN_HTTP_CONTENT_LENGTH) > 0
           || lws_hdr_total_length(connection, WSI_TOKEN_HTTP_TRANSFER_ENCODING) > 0;
}

void CWebSockets_answer(CWebSockets_connection *connection, unsigned status, const char *headers, const uint8_t *body,
                        size_t count) {
    uint8_t buffer[LWS_PRE + 4096], *start = buffer + LWS_PRE, *at = start, *end = buffer + sizeof buffer - 1;
    bool is_bad = lws_add_http_header_status(connection, status, &at, end)
                  || lws_add_http_header_content_length(connection, count, &at, end);
    while (*headers) {
        const char *value = headers + strlen(headers) + 1;
        size_t length = strlen(value);
        is_bad |= lws_add_http_header_by_name(connection, (const unsigned char *)headers, (const unsigned char *)value,
                                              length, &at, end);
        headers = value + length + 1;
    }
    bool isLast = is_last(connection);
    if (isLast) is_bad |= lws_add_http_header_by_token(connection, WSI_TOKEN_CONNECTION, (const unsigned char *)"close", 5, &at, end);
    if (is_bad || lws_finalize_write_http_header(connection, start, &at, end)) return CWebSockets_cut(connection);
    if (lws_hdr_total_length(connection, WSI_TOKEN_HEAD_URI) > 0) return CWebSockets_cut(connection);  // has no body
    struct answer now = {.memory = malloc(LWS_PRE + count), .count = count, .isLast = isLast};
    if (!now.memory) return CWebSockets_cut(connection);
    memcpy(now.memory + LWS_PRE, body, count);
    struct answer *later = lws_wsi_user(connection);
    if (later) {
        forget(later);
        *later = now;
        lws_callback_on_writable(connection);
    } else {
        // A refused upgrade has no place to keep it, and a sentence always fits the socket.
        if (lws_write(connection, now.memory + LWS_PRE, count, LWS_WRITE_HTTP_FINAL) < (int)count) CWebSockets_cut(connection);
        forget(&now);
    }
}

void CWebSockets_want_writable(CWebSockets_connection *connection) { lws_callback_on_writable(connection); }

bool CWebSockets_send(CWebSockets_connection *connection, const uint8_t *bytes, size_t count) {
    uint8_t *memory = malloc(LWS_PRE + count);
    if (!memory) return false;
    memcpy(memory + LWS_PRE, bytes, count);
    int written = lws_write(connection, memory + LWS_PRE, count, LWS_WRITE_TEXT);
    free(memory);
    return written >= (int)count;
}

void CWebSockets_set_reason(CWebSockets_connection *connection, unsigned code, const char *reason, size_t count) {
    lws_close_reason(connection, code, (unsigned char *)reason, count > 123 ? 123 : count);
}

void CWebSockets_end(CWebSockets_connection *connection) {
    // When a callback for writing fails, libwebsockets 4.1 closes without a close frame; this way it sends one first.
    lws_set_timeout(connection, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_SYNC);
}

void CWebSockets_cut(CWebSockets_connection *connection) {
    // Without this, libwebsockets waits 5 s for what is queued, and 5 s for a close frame.
    shutdown(lws_get_socket_fd(connection), SHUT_RDWR);
    lws_set_timeout(connection, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
}

void CWebSockets_read(CWebSockets_connection *connection, bool isReading) { lws_rx_flow_control(connection, isReading); }

bool CWebSockets_random(uint8_t *bytes, size_t count) { return getrandom(bytes, count, 0) == (ssize_t)count; }

void CWebSockets_digest(const uint8_t *bytes, size_t count, uint8_t *digest) { SHA256(bytes, count, digest); }
