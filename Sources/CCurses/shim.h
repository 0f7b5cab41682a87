#pragma once
// Wide characters are declared under this name; _XOPEN_SOURCE_EXTENDED would do, but says more than is meant.
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

// ncurses is full of macros and of variables that the whole process shares; Swift can use neither. So what is needed of
// it is here as functions.

/// wchar.h declares it under _XOPEN_SOURCE only.
extern int wcwidth(wchar_t character);
/// term.h declares it, beside hundreds of macros with names such as `columns`.
extern char *tigetstr(const char *name);

/// Takes the locale of the environment, and says whether its text is UTF-8.
static inline int CCurses_adopt_locale(void) {
    setlocale(LC_ALL, "");
    const char *codeset = nl_langinfo(CODESET);
    return codeset[0] == 'U' && codeset[1] == 'T' && codeset[2] == 'F';
}

/// Takes a locale for characters; for tests, which must not depend on the environment.
static inline int CCurses_use_locale(const char *name) { return setlocale(LC_CTYPE, name) != NULL; }

enum { CCurses_bold = 1, CCurses_dim = 2, CCurses_reverse = 4, CCurses_underline = 8 };

/// Takes the terminal over: every key as it comes, no echo, no signals from keys. Fails if it isn't known,
/// or can't place its cursor.
static inline int CCurses_begin(int wants_colours) {
    SCREEN *screen = newterm(NULL, stdout, stdin);
    if (screen == NULL) return -1;
    set_term(screen);
    const char *places_cursor = tigetstr("cup");
    if (places_cursor == NULL || places_cursor == (const char *)-1) {
        endwin();
        return -1;
    }
    raw();
    noecho();
    nonl();
    intrflush(stdscr, FALSE);
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    leaveok(stdscr, FALSE);
    // An escape that is a key is told from one that begins a sequence by what follows within 25 ms.
    set_escdelay(25);
    curs_set(0);
    mouseinterval(0);
    mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
    if (!wants_colours || !has_colors()) return 0;
    start_color();
    use_default_colors();
    const short colours[] = {COLOR_CYAN, COLOR_YELLOW, COLOR_RED};
    for (short index = 0; index < 3; index++) init_pair(index + 1, colours[index], -1);
    return 0;
}

/// Names a key by the bytes that the terminal sends for it, for those that its description leaves out.
static inline void CCurses_define_key(const char *bytes, int code) { define_key(bytes, code); }

/// Puts one character with its marks in a cell; wide ones take two.
static inline void CCurses_put(int row, int column, const wchar_t *text, int attributes, short colour) {
    attr_t all = 0;
    if (attributes & CCurses_bold) all |= WA_BOLD;
    if (attributes & CCurses_dim) all |= WA_DIM;
    if (attributes & CCurses_reverse) all |= WA_REVERSE;
    if (attributes & CCurses_underline) all |= WA_UNDERLINE;
    cchar_t cell;
    if (setcchar(&cell, text, all, has_colors() ? colour : 0, NULL) != ERR) {
        mvwadd_wchnstr(stdscr, row, column, &cell, 1);
    }
}

/// Sends what has changed; the cursor is seen at a place, or not at all (row -1).
static inline void CCurses_show(int row, int column) {
    curs_set(row >= 0);
    if (row >= 0) wmove(stdscr, row, column);
    wnoutrefresh(stdscr);
    doupdate();
}

/// Sends everything with the next `show`.
static inline void CCurses_forget(void) { clearok(curscr, TRUE); }

/// The size that the terminal has now, which ncurses takes over.
static inline void CCurses_measure(int *columns, int *rows) {
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0
        && (size.ws_row != LINES || size.ws_col != COLS)) {
        resizeterm(size.ws_row, size.ws_col);
    }
    *columns = COLS;
    *rows = LINES;
}

enum { CCurses_nothing, CCurses_character, CCurses_function };

/// The next key, without waiting.
static inline int CCurses_key(unsigned int *code) {
    wint_t key = 0;
    int status = get_wch(&key);
    *code = key;
    return status == OK ? CCurses_character : status == KEY_CODE_YES ? CCurses_function : CCurses_nothing;
}

/// Whether nothing will come from the terminal any more.
static inline int CCurses_is_gone(void) {
    struct pollfd terminal = {.fd = STDIN_FILENO, .events = POLLIN};
    if (poll(&terminal, 1, 0) <= 0) return 0;
    return (terminal.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
}

enum { CCurses_press = 1, CCurses_wheel_up, CCurses_wheel_down };

/// What the mouse did, after KEY_MOUSE; 0 if nothing that is used.
static inline int CCurses_mouse(int *column, int *row) {
    MEVENT event;
    if (getmouse(&event) != OK) return 0;
    *column = event.x;
    *row = event.y;
    if (event.bstate & BUTTON4_PRESSED) return CCurses_wheel_up;
    if (event.bstate & BUTTON5_PRESSED) return CCurses_wheel_down;
    return event.bstate & BUTTON1_PRESSED ? CCurses_press : 0;
}

/// Gives the terminal back.
static inline void CCurses_end(void) { endwin(); }

/// Stops this job as the terminal's own Ctrl-Z would; returns when it goes on.
static inline void CCurses_stop(void) {
    struct sigaction plain = {.sa_handler = SIG_DFL}, before;
    sigaction(SIGTSTP, &plain, &before);
    kill(0, SIGTSTP);
    sigaction(SIGTSTP, &before, NULL);
}
