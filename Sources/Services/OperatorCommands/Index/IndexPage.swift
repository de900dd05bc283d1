import Bus
import Instruments
import JSON
import Wire

/// Index prices as they were last said: one with its markets, or all in a table.
struct IndexPage: LivePage {
    private var prices: [String: Bitpal_V1_IndexPrice] = [:]
    private var link = BusLink()
    /// What JSON still has to say, the newest word of each.
    private var unsaid: Set<String> = []
    private var isChanged = true
    private let isWatching: Bool
    private let isSingle: Bool

    init(isWatching: Bool, isSingle: Bool) {
        self.isWatching = isWatching
        self.isSingle = isSingle
    }

    var isEmpty: Bool { prices.isEmpty }

    /// Takes the newest word of an index.
    mutating func take(_ price: Bitpal_V1_IndexPrice) {
        guard prices[price.pair] != price else { return }
        prices[price.pair] = price
        unsaid.insert(price.pair)
        isChanged = true
    }

    // MARK: - Following

    mutating func apply(_ batch: BusBatch, at now: Timestamp) -> [String] {
        let before = link
        for event in batch.events {
            link.note(event)
            guard case .message(let message) = event,
                case .indexPrice(let price)? = try? batch.decode(message)
            else { continue }
            take(price)
        }
        if link != before { isChanged = true }
        return []
    }

    func needsDrawing(at now: Timestamp) -> Bool { isChanged }

    // MARK: - Text

    mutating func draw(at now: Timestamp, columns: Int, rows: Int?) -> [StyledLine] {
        isChanged = false
        unsaid.removeAll(keepingCapacity: true)
        var lines: [StyledLine] = []
        if isWatching { lines.append(StyledLine("● \(link.word.rawValue)", link.word.style)) }
        let sorted = prices.values.sorted { $0.pair < $1.pair }
        if isSingle, let price = sorted.first {
            lines += IndexPage.single(price, columns: columns)
        } else if sorted.isEmpty {
            lines.append(StyledLine("no index yet: no spot market is followed", .faint))
        } else {
            lines += IndexPage.table(sorted, columns: columns)
        }
        return Array(lines.prefix(rows ?? .max))
    }

    private static func single(_ price: Bitpal_V1_IndexPrice, columns: Int) -> [StyledLine] {
        var title = StyledLine("\(price.pair)  ", .strong)
        if price.unavailable.isEmpty {
            title.append(price.price, .good)
        } else {
            title.append("unavailable: \(price.unavailable)", .warning)
        }
        title.append("  \(Timestamp(nanoseconds: price.computedTimeUnixNanos).iso8601)", .faint)
        var table = TextTable([
            ("market", .left), ("price", .right), ("weight", .right), ("counts", .left),
        ])
        for market in price.constituents {
            table.append([
                .init(market.instrument), .init(market.price.isEmpty ? "-" : market.price),
                .init(market.weight.isEmpty ? "-" : market.weight),
                market.exclusion.isEmpty
                    ? .init("yes", .good) : .init("no: \(market.exclusion)", .warning),
            ])
        }
        return [title.clipped(to: columns), StyledLine()] + table.lines(columns: columns)
    }

    private static func table(_ prices: [Bitpal_V1_IndexPrice], columns: Int) -> [StyledLine] {
        var table = TextTable([("index", .left), ("price", .right), ("markets", .right), ("", .left)])
        for price in prices {
            let counting = price.constituents.count { $0.exclusion.isEmpty }
            table.append([
                .init(price.pair, .strong), .init(price.price.isEmpty ? "-" : price.price),
                .init("\(counting)/\(price.constituents.count)"),
                price.unavailable.isEmpty
                    ? .init("") : .init("unavailable: \(price.unavailable)", .warning),
            ])
        }
        return table.lines(columns: columns)
    }

    // MARK: - JSON

    mutating func drawJSON(to line: inout JSONWriter) {
        isChanged = false
        for pair in unsaid.sorted() {
            if let price = prices[pair] { IndexPage.write(price, to: &line) }
        }
        unsaid.removeAll(keepingCapacity: true)
    }

    private static func write(_ price: Bitpal_V1_IndexPrice, to line: inout JSONWriter) {
        line.beginObject()
        line.pair("pair", price.pair)
        line.key("price")
        line.string(price.price.isEmpty ? nil : price.price)
        line.key("unavailable")
        line.string(price.unavailable.isEmpty ? nil : price.unavailable)
        line.pair("time", Timestamp(nanoseconds: price.computedTimeUnixNanos).iso8601)
        line.key("constituents")
        line.beginArray()
        for market in price.constituents {
            line.beginObject()
            line.pair("instrument", market.instrument)
            for (name, text) in [
                ("price", market.price), ("weight", market.weight), ("exclusion", market.exclusion),
            ] {
                line.key(name)
                line.string(text.isEmpty ? nil : text)
            }
            line.endObject()
        }
        line.endArray()
        line.endObject()
        line.endLine()
    }
}
