extension Query {
    /// Whether this filters anything: a text without a word (a letter, a digit or a symbol) is no text.
    public var hasText: Bool {
        text.unicodeScalars.contains { scalar in
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
                .decimalNumber, .letterNumber, .otherNumber,
                .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol:
                true
            default: false
            }
        }
    }

    /// Whether the whole catalog is searched, so that the list shown is not a category's.
    public var isCatalogWide: Bool { scope == .catalog && hasText }
}
