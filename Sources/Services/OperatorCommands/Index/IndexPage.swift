import Bus
import Instruments
import Shapes
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
            lines += IndexLine.table(sorted.map(IndexLine.init)).lines(columns: columns)
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
        let table = IndexMarketLine.table(price.constituents.map(IndexMarketLine.init))
        return [title.clipped(to: columns), StyledLine()] + table.lines(columns: columns)
    }

    mutating func news() -> [any WireBody] {
        isChanged = false
        let news = unsaid.sorted().compactMap { prices[$0].map(IndexLine.init) }
        unsaid.removeAll(keepingCapacity: true)
        return news
    }
}
