import MarketStore

/// Names that somebody may have meant.
enum PortfolioNames {
    static func hint(_ name: String, among known: [String]) -> String {
        let near = NearestNames.symbols(to: name, among: known)
        if !near.isEmpty { return "did you mean \(near.joined(separator: ", "))?" }
        if known.isEmpty { return "`bitpal portfolio create NAME` makes one" }
        let some = known.prefix(8).joined(separator: ", ")
        return "there are \(some)\(known.count > 8 ? " and \(known.count - 8) more" : "")"
    }
}
