#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a value is.
enum {
    CSimdJSON_null = 0,
    CSimdJSON_false = 1,
    CSimdJSON_true = 2,
    CSimdJSON_number = 3,
    CSimdJSON_string = 4,
    CSimdJSON_array = 5,
    CSimdJSON_object = 6,
};

/// One value of a parsed line, in document order; a member's key stands before its value.
/// `start` and `end` are byte offsets of the raw token in the line, quotes and brackets included.
/// `next` is the index of the first node behind this value's subtree.
/// `text`, `textLength`: where a string's decoded bytes are. `escaped` is 0 when they are the raw bytes
/// (then `text` is an offset in the line), else `text` is an offset in the parser's string buffer.
/// For containers `textLength` is the number of elements or members.
typedef struct {
    uint32_t start, end, next, text, textLength;
    uint8_t kind, escaped;
} CSimdJSON_node;

typedef enum {
    CSimdJSON_ok = 0,
    CSimdJSON_invalid = 1,   ///< Not strict JSON in strict UTF-8.
    CSimdJSON_too_deep = 2,  ///< Nested deeper than `depthMax`.
    CSimdJSON_no_memory = 3,
} CSimdJSON_status;

typedef struct CSimdJSON_parser CSimdJSON_parser;

/// Bytes that must be readable behind the text.
size_t CSimdJSON_padding(void);

CSimdJSON_parser *CSimdJSON_new(void);
void CSimdJSON_free(CSimdJSON_parser *parser);

/// Parses `length` bytes at `text`, behind which CSimdJSON_padding() more are readable.
/// On success `*nodes` and `*count` describe the document and `*strings` is the buffer of decoded strings,
/// all three valid until the next parse with this parser.
CSimdJSON_status CSimdJSON_parse(CSimdJSON_parser *parser, const uint8_t *text, size_t length,
                                 uint32_t depthMax, const CSimdJSON_node **nodes, size_t *count,
                                 const uint8_t **strings, size_t *stringBytes);

#ifdef __cplusplus
}
#endif
