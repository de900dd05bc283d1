package import Instruments

/// How a language writes numbers and money; source: Unicode CLDR 46, `numbers` of each locale.
package struct NumberStyle: Hashable, Sendable {
    /// Before the decimal places.
    package var decimal: String
    /// Between groups of three digits.
    package var group: String
    /// Digits that must stand before the first group for there to be groups.
    package var minimumGrouping: Int
    /// Whether a currency's sign stands before the number.
    package var isCurrencyFirst: Bool
    /// Signs of currencies that have one; all others are written by their code.
    package var signs: [String: String]
    /// The ten digits.
    package var digits: [String]

    /// Describes a style with the digits 0 to 9.
    package init(
        decimal: String, group: String, minimumGrouping: Int = 1, isCurrencyFirst: Bool,
        signs: [String: String],
        digits: [String] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]
    ) {
        self.decimal = decimal
        self.group = group
        self.minimumGrouping = minimumGrouping
        self.isCurrencyFirst = isCurrencyFirst
        self.signs = signs
        self.digits = digits
    }

    /// The number with all of its places: nothing is rounded.
    package func text(_ number: DecimalNumber) -> String {
        (number.units < 0 ? "-" : "") + magnitude(number)
    }

    /// An amount of money; a currency of letters is kept apart by a space that does not break.
    package func text(_ number: DecimalNumber, currency: String) -> String {
        let sign = signs[currency] ?? currency
        let minus = number.units < 0 ? "-" : ""
        guard isCurrencyFirst else { return "\(minus)\(magnitude(number))\u{A0}\(sign)" }
        let space = sign.unicodeScalars.last?.properties.isAlphabetic == true ? "\u{A0}" : ""
        return minus + sign + space + magnitude(number)
    }

    /// A whole number.
    package func text(_ number: Int) -> String {
        (number < 0 ? "-" : "") + grouped(String(number.magnitude))
    }

    private func magnitude(_ number: DecimalNumber) -> String {
        let parts = number.description.drop { $0 == "-" }.split(separator: ".")
        let whole = grouped(parts.first ?? "0")
        return parts.count > 1 ? whole + decimal + localized(parts[1]) : whole
    }

    private func grouped(_ digits: some StringProtocol) -> String {
        guard digits.count >= 3 + minimumGrouping else { return localized(digits) }
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text += group }
            text += localized(String(digit))
        }
        return text
    }

    private func localized(_ text: some StringProtocol) -> String {
        text.map { character in character.wholeNumberValue.map { digits[$0] } ?? String(character) }.joined()
    }
}
