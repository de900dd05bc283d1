/// A market of Bybit with an address of its own; the same name is another instrument in each.
enum BybitCategory: String, Sendable, Hashable, CaseIterable {
    case spot, linear, inverse

    /// The category that the path of an address ends with; `nil` for any other, such as those before V5,
    /// where no name was used twice.
    init?(path: Substring) {
        guard path.hasPrefix("/v5/public/") else { return nil }
        self.init(rawValue: String(path.dropFirst("/v5/public/".utf8.count)))
    }

    /// How the address of the list of instruments ends; spot has it in one page.
    var instrumentList: String {
        "/instruments-info?category=\(rawValue)" + (self == .spot ? "" : "&limit=1000")
    }

    /// Levels a side of the REST route of books at the most.
    var mostLevels: Int { self == .spot ? 200 : 500 }

    /// Trades of the REST route of trades at the most.
    var mostTrades: Int { self == .spot ? 60 : 1_000 }

    /// Levels a side that can be subscribed to.
    static let depths = [1, 50, 200, 1_000]
}
