/// What the fuzz target `fuzz-files` does with an input, and the ordinary tests with every kept one.
///
/// The first byte chooses who reads the rest: the letter of a ``FileReader``, other bytes by their remainder.
package enum FileInput {
    /// Gives the rest of an input to its reader.
    ///
    /// - Precondition: What a reader accepts has the properties that stand beside it.
    package static func run(_ input: UnsafeRawBufferPointer) {
        guard let first = input.first else { return }
        FileReader(choice: first).read(Array(input.dropFirst()))
    }
}

/// Everything that reads files which people write or bring, each with the letter that chooses it.
package enum FileReader: UInt8, CaseIterable, Sendable {
    /// A `config.json`.
    case configuration = 0x63  // c
    /// Variables of the environment, a line each, and with them a file of a secret.
    case environment = 0x65  // e
    /// A file of a ledger; the next byte chooses the format.
    case ledger = 0x6C  // l
    /// A table of prices.
    case prices = 0x70  // p

    init(choice: UInt8) {
        self = FileReader(rawValue: choice) ?? Self.allCases[Int(choice) % Self.allCases.count]
    }

    func read(_ bytes: [UInt8]) {
        switch self {
        case .configuration: SettingsInput.readFile(bytes)
        case .environment: SettingsInput.readEnvironment(bytes)
        case .ledger: LedgerInput.read(bytes)
        case .prices: LedgerInput.readPrices(bytes)
        }
    }
}
