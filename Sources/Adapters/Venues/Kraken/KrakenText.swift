/// What we send to Kraken, and the names that it sends.
///
/// Symbols are the venue's own and hold no quotes.
enum KrakenText {
    static func v1(_ operation: String, _ channel: String, _ symbols: [String], depth: Int) -> String {
        let list = symbols.map { "\"\($0)\"" }.joined(separator: ",")
        let options = channel == "book" ? ",\"depth\":\(depth)" : ""
        return "{\"event\":\"\(operation)\",\"pair\":[\(list)],"
            + "\"subscription\":{\"name\":\"\(channel)\"\(options)}}"
    }

    static func v2(_ operation: String, _ channel: String, _ symbols: [String], depth: Int) -> String {
        let list = symbols.map { "\"\($0)\"" }.joined(separator: ",")
        var options = ""
        if channel == "book" { options += ",\"depth\":\(depth)" }
        // Ticker changes with every best bid or ask, not only with trades.
        if channel == "ticker" { options += ",\"event_trigger\":\"bbo\"" }
        if operation == "subscribe" { options += ",\"snapshot\":true" }
        return
            "{\"method\":\"\(operation)\",\"params\":{\"channel\":\"\(channel)\",\"symbol\":[\(list)]\(options)}}"
    }

    /// The depth in `book-1000`; `nil` for any other channel.
    static func depth(ofChannel name: UnsafeRawBufferPointer) -> Int? {
        guard name.count > 5, name.count <= 10, name[0] == 0x62, name[1] == 0x6F, name[2] == 0x6F,
            name[3] == 0x6B, name[4] == 0x2D
        else { return nil }
        var depth = 0
        for position in 5..<name.count {
            let digit = name[position] &- 0x30
            guard digit < 10 else { return nil }
            depth = depth * 10 + Int(digit)
        }
        return depth > 0 ? depth : nil
    }

    /// The assets of a `wsname` such as `XBT/USD`, spelled as the interface does: v2 says BTC and DOGE where
    /// v1 and REST say XBT and XDG.
    ///
    /// Source: Kraken, "v1 to v2 migration", read 2026-11.
    static func pair(_ name: String, isV1: Bool) -> (base: String, quote: String)? {
        guard let slash = name.firstIndex(of: "/") else { return nil }
        return (
            spell(String(name[..<slash]), isV1: isV1),
            spell(String(name[name.index(after: slash)...]), isV1: isV1)
        )
    }

    private static func spell(_ asset: String, isV1: Bool) -> String {
        guard !isV1 else { return asset }
        switch asset {
        case "XBT": return "BTC"
        case "XDG": return "DOGE"
        default: return asset
        }
    }
}
