// simdjson's DOM parser validates a whole line strictly; this shim then walks its tape together with
// its structural indexes, so that each value is known decoded and as the raw bytes it came from.
#include "CSimdJSON.h"

#include <simdjson.h>

#include <cstring>
#include <memory>
#include <new>
#include <vector>

namespace {

using simdjson::dom::parser;

// Lines above this size get a parser of their own for one parse: the buffers of a parser are some
// fourteen times its longest text, and must not stay for ever because of one long line.
constexpr size_t kept_capacity = 128 * 1024;
// Room for so many nodes is kept for the next text. It is made for all tokens of a text, commas and colons too: a text of
// that size has fewer, unless its values have two bytes or less.
constexpr size_t kept_nodes = kept_capacity / 2;

bool is_digit(uint8_t c) { return c >= '0' && c <= '9'; }

// The number grammar of RFC 8259 over the whole token.
bool is_number(const uint8_t *at, const uint8_t *end) {
    if (at < end && *at == '-') at++;
    if (at == end || !is_digit(*at)) return false;
    if (*at == '0') at++;
    else while (at < end && is_digit(*at)) at++;
    if (at < end && *at == '.') {
        at++;
        if (at == end || !is_digit(*at)) return false;
        while (at < end && is_digit(*at)) at++;
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        at++;
        if (at < end && (*at == '+' || *at == '-')) at++;
        if (at == end || !is_digit(*at)) return false;
        while (at < end && is_digit(*at)) at++;
    }
    return at == end;
}

// simdjson decodes \udc00 alone to three bytes that are no UTF-8.
bool has_surrogate(const uint8_t *text, size_t length) {
    for (size_t i = 0; i + 1 < length; i++)
        if (text[i] == 0xED && text[i + 1] >= 0xA0) return true;
    return false;
}

}  // namespace

struct CSimdJSON_parser {
    std::unique_ptr<parser> kept = std::make_unique<parser>();
    std::unique_ptr<parser> large;
    std::vector<CSimdJSON_node> nodes;
    std::vector<uint32_t> open;
    std::vector<uint8_t> scratch;
};

extern "C" size_t CSimdJSON_padding(void) { return simdjson::SIMDJSON_PADDING; }

extern "C" CSimdJSON_parser *CSimdJSON_new(void) { return new (std::nothrow) CSimdJSON_parser; }

extern "C" void CSimdJSON_free(CSimdJSON_parser *p) { delete p; }

// The tokens of `text` that are numbers by the grammar, but too large for simdjson's 64 bits, become 0
// in a scratch copy. Returns whether anything was changed; what is no number is left to be refused.
static bool blank_numbers(CSimdJSON_parser &p, const parser &dom, const uint8_t *text, size_t length) {
    const auto &implementation = *dom.implementation;
    p.scratch.assign(text, text + length);
    p.scratch.resize(length + simdjson::SIMDJSON_PADDING, ' ');
    bool changed = false;
    for (uint32_t i = 0; i < implementation.n_structural_indexes; i++) {
        const uint32_t start = implementation.structural_indexes[i];
        if (text[start] != '-' && !is_digit(text[start])) continue;
        size_t end = start;
        while (end < length && (is_digit(text[end]) || strchr("+-.eE", text[end]) != nullptr) && text[end] != 0) end++;
        if (end - start < 4 || !is_number(text + start, text + end)) continue;
        p.scratch[start] = '0';
        memset(p.scratch.data() + start + 1, ' ', end - start - 1);
        changed = true;
    }
    return changed;
}

extern "C" CSimdJSON_status CSimdJSON_parse(CSimdJSON_parser *handle, const uint8_t *text, size_t length,
                                            uint32_t depthMax, const CSimdJSON_node **nodes, size_t *count,
                                            const uint8_t **strings, size_t *stringBytes) try {
    auto &p = *handle;
    p.large.reset();
    if (p.nodes.size() > kept_nodes) p.nodes = {};
    if (length > kept_capacity) p.large = std::make_unique<parser>();
    parser &dom = p.large ? *p.large : *p.kept;

    auto error = dom.parse(text, length, false).error();
    if (error == simdjson::NUMBER_ERROR && blank_numbers(p, dom, text, length))
        error = dom.parse(p.scratch.data(), length, false).error();
    if (error == simdjson::MEMALLOC) return CSimdJSON_no_memory;
    if (error == simdjson::DEPTH_ERROR) return CSimdJSON_too_deep;
    if (error != simdjson::SUCCESS) return CSimdJSON_invalid;

    const auto &implementation = *dom.implementation;
    const uint32_t tokens = implementation.n_structural_indexes;
    const uint32_t *at = implementation.structural_indexes.get();
    const uint64_t *tape = dom.doc.tape.get() + 1;  // behind the root
    const uint8_t *buffer = dom.doc.string_buf.get();
    size_t used = 0;

    // A token is a node at most: there is room for all before the first.
    if (p.nodes.size() < tokens) p.nodes.resize(tokens);
    if (p.open.size() < depthMax) p.open.resize(depthMax);
    CSimdJSON_node *const first = p.nodes.data();
    CSimdJSON_node *node = first;
    uint32_t *const open = p.open.data();
    uint32_t depth = 0;
    uint32_t children = 0;  // of the innermost open container; those of the others are in their nodes
    for (uint32_t i = 0; i < tokens; i++) {
        const uint32_t start = at[i];
        const uint8_t c = text[start];
        if (c == ':' || c == ',') continue;
        if (c == '}' || c == ']') {
            auto &container = first[open[--depth]];
            container.end = start + 1;
            container.next = uint32_t(node - first);
            container.textLength = c == '}' ? children / 2 : children;
            if (depth > 0) children = first[open[depth - 1]].textLength;
            tape++;
            continue;
        }
        // A key is no level of its own beside its value: both stand in the same object.
        if (depth >= depthMax) return CSimdJSON_too_deep;
        children++;
        if (c == '{' || c == '[') {
            if (depth > 0) first[open[depth - 1]].textLength = children;
            children = 0;
            open[depth++] = uint32_t(node - first);
            *node++ = {start, 0, 0, 0, 0, uint8_t(c == '{' ? CSimdJSON_object : CSimdJSON_array), 0};
            tape++;
            continue;
        }
        size_t end = i + 1 < tokens ? at[i + 1] : length;
        while (text[end - 1] <= ' ') end--;  // no token ends so, only the space behind one
        const uint32_t next = uint32_t(node - first) + 1;
        if (c == '"') {
            const uint64_t offset = *tape & 0x00FFFFFFFFFFFFFFull;
            uint32_t size;
            memcpy(&size, buffer + offset, sizeof size);
            const bool escaped = size != end - start - 2;
            uint32_t place = start + 1;
            if (escaped) {
                place = uint32_t(offset + sizeof size);
                used = offset + sizeof size + size;
                if (has_surrogate(buffer + place, size)) return CSimdJSON_invalid;
            }
            *node++ = {start, uint32_t(end), next, place, size, CSimdJSON_string, escaped};
            tape++;
            continue;
        }
        uint8_t kind = CSimdJSON_number;
        switch (c) {
        case 't': kind = CSimdJSON_true; break;
        case 'f': kind = CSimdJSON_false; break;
        case 'n': kind = CSimdJSON_null; break;
        default: tape++;  // a number has a second word
        }
        tape++;
        *node++ = {start, uint32_t(end), next, 0, 0, kind, 0};
    }
    *nodes = first;
    *count = size_t(node - first);
    *strings = buffer;
    *stringBytes = used;
    return CSimdJSON_ok;
} catch (...) {
    return CSimdJSON_no_memory;
}
