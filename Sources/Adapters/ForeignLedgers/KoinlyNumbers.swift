import LedgerFiles

/// The numbers that today's export of Koinly's writes behind codes and wallets: `USDC;3054`, `Kraken;kraken`.
///
/// Coins of one code have different numbers, as a token that calls itself ETH has. The lowest of a code keeps
/// it, as the coin that Koinly knew first; each other is `ETH:15114338`, so that no two are ever summed.
struct KoinlyNumbers {
    /// The column that only this form has.
    static let id = "ID (read-only)"

    private static let codes = [
        "From Currency", "To Currency", "Fee Currency", "Net Worth Currency", "Value Currency (read-only)",
    ]
    private static let wallets = ["From Wallet (read-only)", "To Wallet (read-only)"]

    private let rows: [Fields]
    private var lowest: [String: Int] = [:]

    init(_ table: ForeignTable) {
        rows = table.rows
        for row in rows {
            for name in KoinlyNumbers.codes {
                let (code, number) = KoinlyNumbers.parts(row.text(name) ?? "")
                guard let number else { continue }
                lowest[code] = min(lowest[code] ?? number, number)
            }
        }
    }

    /// The rows without numbers.
    var plain: [Fields] {
        rows.map { row in
            var changed = row.row
            for (name, column) in row.columns where column < changed.fields.count {
                let text = changed.fields[column]
                if KoinlyNumbers.codes.contains(name) {
                    changed.fields[column] = code(text)
                } else if KoinlyNumbers.wallets.contains(name) {
                    changed.fields[column] = KoinlyNumbers.parts(text).name
                }
            }
            return Fields(row: changed, columns: row.columns)
        }
    }

    private func code(_ text: String) -> String {
        let (code, number) = KoinlyNumbers.parts(text)
        guard let number, number != lowest[code] else { return code }
        return "\(code):\(number)"
    }

    private static func parts(_ text: String) -> (name: String, number: Int?) {
        guard let sign = text.lastIndex(of: ";") else { return (text, nil) }
        return (String(text[..<sign]), Int(text[text.index(after: sign)...]))
    }
}
