import Instruments
import Shapes

/// One price of a pair, for shortcuts and voices.
struct QuoteBody: WireBody {
    static let shape = BodyShape<QuoteBody>("Quote") {
        Field(
            ifPresent: "change_percent", \.changePercent,
            "Of the price 24 hours ago; left out while trades of the 24 hours may be missing.", as: .decimal,
            example: "1.2")
        Field(
            "origin", \.origin,
            "What stands behind the price: our own tape or proven books, or a venue's word (ticker).",
            as: .words(PriceOrigin.allCases.map(\.rawValue)), example: "proven")
        Field("pair", \.pair, example: "BTC-USD")
        Field("price", \.price, "In the quote asset.", as: .decimal, example: "61000.5")
        Field("source", \.source, "index, or the instrument whose price it is.", example: "index")
        Field("state", \.state, "live, or why it may not be of now.", example: "live")
        Field("text", \.text, "To be read out.", example: "Bitcoin 61,000.50 dollars, up 1.2 % today")
        Field("time", \.time, as: .time, example: "2026-11-21T12:00:00.000000000Z")
    }

    var pair: String
    var price: String
    var changePercent: String?
    var time: String
    var source: String
    /// What stands behind the price.
    var origin = PriceOrigin.proven.rawValue
    var state: String
    var text: String
}

/// Says prices in words.
enum QuoteText {
    private static let currencies = [
        "USD": "dollars", "EUR": "euros", "GBP": "pounds", "JPY": "yen", "CHF": "francs", "USDT": "tether",
        "USDC": "USD Coin", "BTC": "bitcoin", "ETH": "ether",
    ]

    /// `Bitcoin 61,000.50 dollars, up 1.2 % today`.
    static func sentence(name: String, price: String, quote: String, changePercent: String?) -> String {
        let currency = currencies[quote] ?? quote
        let begin = "\(name) \(grouped(price)) \(currency)"
        guard let changePercent, let change = try? Amount(parsing: changePercent) else { return begin }
        let rounded = change.magnitude.rounded(places: 1)
        if rounded.isZero { return "\(begin), unchanged today" }
        return "\(begin), \(change.isNegative ? "down" : "up") \(rounded.text(places: 1)) % today"
    }

    /// Thousands apart, two places for what is one or more, else as many as there are.
    static func grouped(_ price: String) -> String {
        guard let amount = try? Amount(parsing: price) else { return price }
        let isLarge = amount.magnitude >= Amount(units: 1)
        let text = isLarge ? amount.rounded(places: 2).text(places: 2) : amount.description
        let parts = text.split(separator: ".", maxSplits: 1)
        guard let whole = parts.first else { return text }
        let sign = whole.hasPrefix("-") ? "-" : ""
        let digits = Array(whole.drop { $0 == "-" })
        var groups = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { groups.append(",") }
            groups.append(digit)
        }
        return sign + groups + (parts.count == 2 ? "." + parts[1] : "")
    }
}
