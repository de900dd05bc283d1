extension UInt8 {
    /// Letters, digits, hyphen and low line of ASCII.
    var isOfWord: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
        default: false
        }
    }
}
