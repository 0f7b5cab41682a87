/// The sections of a Debian archive, by the names that people know them by.
enum DebianSections {
    /// The id, title and group of the category for a `Section` field such as `net` or `contrib/net`.
    static func category(of field: String?) -> (id: String, title: String, area: String?) {
        guard let field else { return ("unknown", "Without a Section", nil) }
        let parts = field.split(separator: "/", maxSplits: 1)
        guard parts.count == 2 else { return (field, title(of: field), nil) }
        let area = String(parts[0])
        return (field, title(of: String(parts[1])), area == "main" ? nil : area)
    }

    private static func title(of section: String) -> String {
        titles[section] ?? section.prefix(1).uppercased() + section.dropFirst()
    }

    private static let titles: [String: String] = [
        "admin": "Administration", "cli-mono": "Mono and CLI", "comm": "Communication",
        "database": "Databases",
        "debian-installer": "Debian Installer", "debug": "Debug Symbols", "devel": "Development",
        "doc": "Documentation", "editors": "Editors", "education": "Education", "electronics": "Electronics",
        "embedded": "Embedded Systems", "fonts": "Fonts", "games": "Games", "gnome": "GNOME",
        "gnu-r": "GNU R", "gnustep": "GNUstep", "golang": "Go", "graphics": "Graphics",
        "hamradio": "Amateur Radio", "haskell": "Haskell", "httpd": "Web Servers",
        "interpreters": "Interpreters", "introspection": "GObject Introspection", "java": "Java",
        "javascript": "JavaScript", "kde": "KDE", "kernel": "Kernels", "libdevel": "Library Development",
        "libs": "Libraries", "lisp": "Lisp", "localization": "Localization", "mail": "Mail",
        "math": "Mathematics", "metapackages": "Metapackages", "misc": "Miscellaneous", "net": "Network",
        "news": "Newsgroups", "ocaml": "OCaml", "oldlibs": "Old Libraries", "otherosfs": "Other Systems",
        "perl": "Perl", "php": "PHP", "python": "Python", "ruby": "Ruby", "rust": "Rust",
        "science": "Science", "shells": "Shells", "sound": "Sound", "tasks": "Tasks", "tex": "TeX",
        "text": "Text Processing", "translations": "Translations", "utils": "Utilities",
        "vcs": "Version Control", "video": "Video", "web": "Web", "x11": "X Window System", "xfce": "Xfce",
        "zope": "Zope and Plone",
    ]
}
