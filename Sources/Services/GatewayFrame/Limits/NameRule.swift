package import Shapes

/// Which names people can see, and tell from each other.
package enum NameRule {
    package static let accepted = "a name that can be seen, without characters that steer the text"

    /// Whether a name may be used; how long it may be, and whether it may be empty, is for whoever keeps it.
    ///
    /// One of blanks and invisible characters only may not, nor one with control characters or such that turn
    /// the direction of what follows.
    package static func isGood(_ name: String) -> Bool {
        name.isEmpty
            || (name.unicodeScalars.contains(where: isVisible)
                && !name.unicodeScalars.contains(where: isForbidden))
    }

    /// Lets a name pass.
    ///
    /// - Throws: `invalid-field`.
    static func check(_ name: String?, field: String = "name") throws(Problem) {
        guard let name, !isGood(name) else { return }
        throw .invalid(field, name, accepted: accepted)
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        // The blank of Braille is a symbol to Unicode.
        return !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint
            && properties.generalCategory != .format && scalar != "\u{2800}"
    }

    /// Unicode 15.1, 23.2: embeddings, overrides and isolates; joiners and marks belong to some scripts.
    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x202A...0x202E, 0x2066...0x2069: return true
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }
}

extension InputKind<String> {
    /// A name that people can see, of so many characters; whoever keeps it checks that.
    package static func name(_ length: ClosedRange<Int>) -> InputKind {
        text.documented(.text(length: length)).map(accepted: NameRule.accepted) { name in
            NameRule.isGood(name) ? name : nil
        }
    }
}
