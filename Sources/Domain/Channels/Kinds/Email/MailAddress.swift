/// Addresses of mailboxes, as far as this code writes to them: a dot-atom and a host name (RFC 5321, 4.1.2).
enum MailAddress {
    static func isValid(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: 0x40, omittingEmptySubsequences: false)
        guard text.utf8.count <= 254, parts.count == 2, (1...64).contains(parts[0].count) else {
            return false
        }
        let atoms = parts[0].split(separator: 0x2E, omittingEmptySubsequences: false)
        let labels = parts[1].split(separator: 0x2E, omittingEmptySubsequences: false)
        return atoms.allSatisfy { !$0.isEmpty && $0.allSatisfy(isAtomText) } && labels.allSatisfy(isLabel)
    }

    /// A byte of an atom (RFC 5322, 3.2.3).
    static func isAtomText(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
        }
    }

    private static func isLabel(_ label: Substring.UTF8View) -> Bool {
        (1...63).contains(label.count) && label.first != 0x2D && label.last != 0x2D
            && label.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D: true
                default: false
                }
            }
    }
}
