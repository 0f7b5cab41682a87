import CCurses

/// What the terminal's characters are.
public enum Locale {
    /// Takes the locale of the environment; gives whether its text is UTF-8.
    public static func adopt() -> Bool { CCurses_adopt_locale() != 0 }

    /// Takes the locale `C.UTF-8`, which every Debian has, for characters; for tests.
    public static func adoptUTF8() -> Bool { unsafe CCurses_use_locale("C.UTF-8") != 0 }

    /// How many cells the terminal gives to a scalar: 0, 1 or 2; nil if it can't be shown.
    ///
    /// It is the C library's table, which ncurses places characters by; most terminals have the same one.
    public static func cells(of scalar: Unicode.Scalar) -> Int? {
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F ? nil : 1 }
        let width = wcwidth(wchar_t(scalar.value))
        return width < 0 ? nil : Int(width)
    }
}
