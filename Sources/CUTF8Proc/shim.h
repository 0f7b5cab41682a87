#pragma once
#include <utf8proc.h>

/// Options are an enum of flags, whose unions Swift takes for another type. Decomposes canonically, folds case fully and
/// sorts marks. Returns how many code points there are, which may be more than fit; below 0 is an error.
static inline utf8proc_ssize_t CUTF8Proc_fold(
    const utf8proc_uint8_t *text, utf8proc_ssize_t bytes, utf8proc_int32_t *points, utf8proc_ssize_t room) {
    return utf8proc_decompose(
        text, bytes, points, room, (utf8proc_option_t)(UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | UTF8PROC_CASEFOLD));
}

/// Composes what belongs together, in place. Returns how many code points are left.
static inline utf8proc_ssize_t CUTF8Proc_compose(utf8proc_int32_t *points, utf8proc_ssize_t count) {
    return utf8proc_normalize_utf32(points, count, (utf8proc_option_t)(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
}
