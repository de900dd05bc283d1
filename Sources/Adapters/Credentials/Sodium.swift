import CSodium

/// libsodium, made ready once for the process.
enum Sodium {
    /// Whether it can be used: it cannot when the machine has no source of randomness.
    static let isReady = sodium_init() >= 0

    /// Ends the process without randomness: nothing that is secret can be made then.
    static func require() { precondition(isReady, "libsodium finds no source of randomness") }
}
