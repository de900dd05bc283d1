package import Instruments

/// The files that can be read; `ForeignLedgers` reads them.
package enum LedgerFormat: String, Sendable, CaseIterable {
    /// Our own table.
    case csv
    /// Our own JSON.
    case json
    /// Coinbase's "transaction history".
    case coinbase
    /// Binance's "transaction history" of all wallets.
    case binance
    /// Kraken's "ledgers".
    case kraken
    /// BitMEX's wallet history.
    case bitmex
    /// Bitstamp's transactions, in both of its forms.
    case bitstamp
    /// CoinTracking's trade list.
    case cointracking
    /// Koinly's transactions and its universal template.
    case koinly
    /// Any table, with a mapping of its columns.
    case mapped

    /// What people call it, in English; brands are the same in every language.
    package var title: String {
        switch self {
        case .csv: "Bitpal CSV"
        case .json: "Bitpal JSON"
        case .coinbase: "Coinbase"
        case .binance: "Binance"
        case .kraken: "Kraken"
        case .bitmex: "BitMEX"
        case .bitstamp: "Bitstamp"
        case .cointracking: "CoinTracking"
        case .koinly: "Koinly"
        case .mapped: "Any table, with a mapping"
        }
    }
}

/// What a file does not say by itself.
package struct ImportOptions: Sendable {
    /// The wallet of rows that name none; the format's own name when `nil`.
    package var wallet: String?
    /// Seconds east of Greenwich of times without a zone; `nil` refuses them where the format allows both.
    package var zone: Int?
    /// The currency of values without one.
    package var base = Asset(rawValue: "USD")
    /// Our column for each of the file's, for ``LedgerFormat/mapped``; several, with commas between them, of
    /// one that serves several, as a currency of price and fee.
    package var columns: [String: String] = [:]
    /// Our kind for each of the file's words, for ``LedgerFormat/mapped``.
    package var kinds: [String: String] = [:]

    /// Nothing said.
    package init() {}

    /// Reads a zone such as `+01:00`, `-0500` or `Z`; `nil` when it is none.
    package static func zone(_ text: String) -> Int? { try? TimeText.offset(text, nil) }
}
