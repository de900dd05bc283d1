/// What we send to BitMEX.
enum BitMEXText {
    /// `{"op":"subscribe","args":["trade:XBTUSD"]}`.
    ///
    /// Symbols are the venue's own and hold no quotes.
    static func operation(_ name: String, _ topics: [String]) -> String {
        let list = topics.map { "\"\($0)\"" }.joined(separator: ",")
        return "{\"op\":\"\(name)\",\"args\":[\(list)]}"
    }

    /// A query of BitMEX's trade route.
    static func trades(restURL: String, symbol: String, after start: String) -> String {
        "\(restURL)/api/v1/trade?symbol=\(URLText.escape(symbol))&startTime=\(URLText.escape(start))&count=1000&reverse=false"
    }
}
