/// Which names people can see, and tell from each other.
enum NameRule {
    /// Lets a name pass; how long it may be is for whoever keeps it.
    ///
    /// - Throws: `invalid-field` for one of blanks and invisible characters only, and for one with control
    ///   characters or such that turn the direction of what follows.
    static func check(_ name: String?, field: String = "name") throws(Problem) {
        guard let name, !name.isEmpty else { return }
        guard name.unicodeScalars.contains(where: isVisible),
            !name.unicodeScalars.contains(where: isForbidden)
        else {
            throw .invalid(
                field, name, accepted: "a name that can be seen, without characters that steer the text")
        }
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
