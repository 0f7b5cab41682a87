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

bool is_space(uint8_t c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
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

    auto &out = p.nodes;
    auto &open = p.open;
    out.clear();
    open.clear();
    for (uint32_t i = 0; i < tokens; i++) {
        const uint32_t start = at[i];
        const uint8_t c = text[start];
        if (c == ':' || c == ',') continue;
        if (c == '}' || c == ']') {
            auto &container = out[open.back()];
            container.end = start + 1;
            container.next = uint32_t(out.size());
            if (container.kind == CSimdJSON_object) container.textLength /= 2;
            open.pop_back();
            tape++;
            continue;
        }
        if (!open.empty()) out[open.back()].textLength++;
        CSimdJSON_node node{};
        node.start = start;
        if (c == '{' || c == '[') {
            if (open.size() + 1 > depthMax) return CSimdJSON_too_deep;
            node.kind = c == '{' ? CSimdJSON_object : CSimdJSON_array;
            open.push_back(uint32_t(out.size()));
            out.push_back(node);
            tape++;
            continue;
        }
        // A key is no level of its own beside its value: both stand in the same object.
        if (open.size() + 1 > depthMax) return CSimdJSON_too_deep;
        size_t end = i + 1 < tokens ? at[i + 1] : length;
        while (is_space(text[end - 1])) end--;
        node.end = uint32_t(end);
        node.next = uint32_t(out.size() + 1);
        switch (c) {
        case '"': {
            const uint64_t offset = *tape & 0x00FFFFFFFFFFFFFFull;
            uint32_t size;
            memcpy(&size, buffer + offset, sizeof size);
            node.kind = CSimdJSON_string;
            node.textLength = size;
            node.escaped = size != node.end - node.start - 2;
            if (node.escaped) {
                node.text = uint32_t(offset + sizeof size);
                used = offset + sizeof size + size;
                if (has_surrogate(buffer + node.text, size)) return CSimdJSON_invalid;
            } else {
                node.text = start + 1;
            }
            tape++;
            break;
        }
        case 't': node.kind = CSimdJSON_true; tape++; break;
        case 'f': node.kind = CSimdJSON_false; tape++; break;
        case 'n': node.kind = CSimdJSON_null; tape++; break;
        default: node.kind = CSimdJSON_number; tape += 2; break;
        }
        out.push_back(node);
    }
    *nodes = out.data();
    *count = out.size();
    *strings = buffer;
    *stringBytes = used;
    return CSimdJSON_ok;
} catch (...) {
    return CSimdJSON_no_memory;
}
