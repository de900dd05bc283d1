import Instruments
import MarketData

/// The newest trades of an instrument as they are to be shown at one moment.
struct TradesView: Sendable {
    /// A trade and when it came to us.
    struct Row: Sendable {
        var trade: Trade
        /// `nil` for one that was there before we looked.
        var arrived: Timestamp?
    }

    /// How long a new trade stands out: 200 ms.
    static let freshness: Int64 = 200_000_000

    var instrument: InstrumentID
    /// `nil` where nothing is watched.
    var connection: ConnectionWord?
    /// Newest first.
    private(set) var rows: [Row] = []
    /// Trades that were missed while watching, at least.
    private(set) var missed: UInt64 = 0
    /// How many are kept, at least 1.
    let limit: Int

    init(instrument: InstrumentID, connection: ConnectionWord? = nil, limit: Int) {
        self.instrument = instrument
        self.connection = connection
        self.limit = limit
    }

    /// Puts a trade in its place by the venue's time; one that is there already changes nothing.
    mutating func add(_ trade: Trade, arrived: Timestamp?) {
        guard !rows.contains(where: { TradesView.isSame($0.trade, trade) }) else { return }
        // Equal times keep the order of arrival: the later one is the newer one.
        let index = rows.firstIndex { $0.trade.venueTime <= trade.venueTime } ?? rows.count
        rows.insert(Row(trade: trade, arrived: arrived), at: index)
        if rows.count > limit { rows.removeLast() }
    }

    /// Puts the newest stored trades, newest first, where they belong.
    mutating func put(_ stored: [Trade]) {
        var fresh = rows
        // Of one instant what is stored came before what is not stored yet.
        let past = stored.reversed().map { trade in
            guard let index = fresh.firstIndex(where: { TradesView.isSame($0.trade, trade) }) else {
                return Row(trade: trade, arrived: nil)
            }
            return fresh.remove(at: index)
        }
        let order = (past + fresh.reversed()).enumerated().sorted {
            ($0.element.trade.venueTime, $0.offset) < ($1.element.trade.venueTime, $1.offset)
        }
        rows = order.map(\.element).suffix(limit).reversed()
    }

    private static func isSame(_ one: Trade, _ other: Trade) -> Bool {
        one.id == other.id && one.isAggregate == other.isAggregate
    }

    /// Trades were missed on the way to us; `nil` when nobody knows how many.
    mutating func lose(_ count: UInt64?) { missed += count ?? 1 }

    /// What was missed has been read.
    mutating func regain() { missed = 0 }

    /// Whether some trade still stands out, so that the page must be drawn again when it no longer does.
    func isFresh(at now: Timestamp) -> Bool { rows.contains { TradesView.isFresh($0, now) } }

    static func isFresh(_ row: Row, _ now: Timestamp) -> Bool {
        row.arrived.map { now.nanoseconds(since: $0) < freshness } ?? false
    }
}

/// Draws trades as lines of text: a pure function of the view, the time and the room that there is.
struct TradesPage {
    let view: TradesView
    let now: Timestamp
    let columns: Int
    /// The rows of the screen; `nil` for no limit.
    let rows: Int?

    var lines: [StyledLine] {
        var title = StyledLine(view.instrument.description, .strong)
        title.appendRight(ClockText.time(now) + " UTC", .faint, columns: columns)
        var lines = [title]
        if let connection = view.connection {
            lines.append(StyledLine("● \(connection.rawValue)", connection.style))
        }
        if view.missed > 0 {
            lines.append(
                StyledLine("at least \(view.missed) trades missed; `bitpal trades` has them", .faint))
        }
        lines.append(StyledLine())
        if view.rows.isEmpty {
            lines.append(StyledLine("No trades yet.", .faint))
        } else {
            lines += table
        }
        return lines.map { $0.clipped(to: columns) }
    }

    private var table: [StyledLine] {
        let shown = view.rows.prefix(rows.map { max(1, $0 - 4) } ?? view.rows.count)
        let prices = shown.map { $0.trade.price.decimal($0.trade.priceScale) }
        let sizes = shown.map { $0.trade.size.decimal($0.trade.sizeScale) }
        let priceTexts = TradesPage.aligned(prices)
        let sizeTexts = TradesPage.aligned(sizes)
        let priceWidth = max(5, priceTexts.map(\.count).max() ?? 0)
        let sizeWidth = max(4, sizeTexts.map(\.count).max() ?? 0)
        let titles = "time      side  \("price".right(priceWidth))  \("size".right(sizeWidth))"
        return [StyledLine(titles, .faint)]
            + shown.enumerated().map { index, row in
                let isBuy = row.trade.side == .buy
                let isFresh = TradesView.isFresh(row, now)
                let style: TextStyle = isFresh ? (isBuy ? .freshBuy : .freshSell) : (isBuy ? .bid : .ask)
                let rest: TextStyle = isFresh ? style : .plain
                var line = StyledLine("\(ClockText.time(row.trade.venueTime))  ", rest)
                line.append(row.trade.side.name.left(4) + "  ", style)
                line.append(priceTexts[index].right(priceWidth), style)
                line.append("  " + sizeTexts[index].right(sizeWidth), rest)
                return line
            }
    }

    /// The numbers at the fewest places that show all of them exactly, so that their points stand in one
    /// column.
    private static func aligned(_ numbers: [DecimalNumber]) -> [String] {
        let places = numbers.map(\.normalized.scale).max() ?? .zero
        return numbers.map { number in
            let normal = number.normalized
            let missing = places.places - normal.scale.places
            let point = normal.scale.places == 0 && missing > 0 ? "." : ""
            return normal.description + point + String(repeating: "0", count: missing)
        }
    }
}
