package import Instruments

/// The address of a mailbox: a dot-atom and a host name of two or more labels.
///
/// Source: RFC 5321, 4.1.2; RFC 5322, 3.2.3.
package struct EmailAddress: Hashable, Sendable, CustomStringConvertible {
    /// As it was given.
    package let text: String
    /// In lower case: what two addresses of one account have in common.
    ///
    /// The standard lets a receiver tell capitals apart before the `@`; none that people use does.
    package let folded: String

    /// Reads an address.
    ///
    /// - Throws: ``FieldFault`` for the field `email`.
    package init(parsing text: String) throws(FieldFault) {
        let parts = text.utf8.split(separator: 0x40, omittingEmptySubsequences: false)
        guard text.utf8.count <= 254, parts.count == 2, (1...64).contains(parts[0].count),
            parts[0].split(separator: 0x2E, omittingEmptySubsequences: false).allSatisfy(Self.isAtom),
            Self.isHost(parts[1])
        else { throw FieldFault("email", text.quoted, accepted: "an address such as name@example.org") }
        self.text = text
        folded = text.lowercased()
    }

    package var description: String { text }

    /// What is before the `@`, in lower case.
    var name: Substring { folded.prefix { $0 != "@" } }
    /// The names of the host, in lower case, without the last.
    var hostNames: [Substring] { folded.drop { $0 != "@" }.dropFirst().split(separator: ".").dropLast() }

    private static func isAtom(_ atom: Substring.UTF8View) -> Bool {
        !atom.isEmpty && atom.allSatisfy { isLetterOrDigit($0) || "!#$%&'*+-/=?^_`{|}~".utf8.contains($0) }
    }

    private static func isHost(_ host: Substring.UTF8View) -> Bool {
        let labels = host.split(separator: 0x2E, omittingEmptySubsequences: false)
        return labels.count >= 2
            && labels.allSatisfy { label in
                (1...63).contains(label.count) && label.first != 0x2D && label.last != 0x2D
                    && label.allSatisfy { isLetterOrDigit($0) || $0 == 0x2D }
            }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }
}
