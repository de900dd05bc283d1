import Instruments
import Providers

/// The part of ``VenueInput`` that reads what aggregated providers answer.
///
/// A line is `l <body>` for a page of the list, `k <body>` for prices by keys, `c <body>` for those by codes,
/// or `s <message>` of a stream.
enum ProviderInput {
    /// Gives every line to its reader; a provider that is not known reads nothing.
    ///
    /// - Precondition: No quote has a price that is not above zero.
    static func run(_ lines: [[UInt8]], of name: String) {
        let provider = ProviderCatalogue.description(of: Venue(rawValue: name))
        var stream = ProviderStream(name == "coindesk" ? .coinDesk : .cryptoCompare)
        for line in lines {
            let body = Array(line.dropFirst(2))
            let question: ProviderQuestion
            switch line.first {
            case UInt8(ascii: "k"): question = .keys(["a", "b"])
            case UInt8(ascii: "c"): question = .codes([Asset(rawValue: "A"), Asset(rawValue: "B")])
            case UInt8(ascii: "s"):
                _ = try? stream.read(body)
                continue
            default: question = .list(page: 1)
            }
            let quotes = (try? provider?.read(body, to: question)) ?? []
            precondition(quotes.allSatisfy { $0.price.map { $0 > .zero } ?? true }, "a price of nothing")
        }
    }
}
