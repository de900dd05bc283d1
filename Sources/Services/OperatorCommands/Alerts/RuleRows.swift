import AlertStore
import Alerting
import Instruments
import MarketData
import Store

/// Stored rules as a table for people and as lines of JSON.
struct RuleRows {
    private let rows: [StoredRule]

    init(_ rows: [StoredRule]) { self.rows = rows }

    func print(json: Bool) throws {
        if json {
            let output = StandardOutput()
            for row in rows { try output.writeLine(json: RuleBody(row, at: .now)) }
            return try output.flush()
        }
        let terminal = Terminal()
        try terminal.print(table.lines(columns: terminal.isInteractive ? terminal.size.columns : 4_096))
    }

    private var table: TextTable {
        var table = TextTable([
            ("id", .left), ("state", .left), ("instrument", .left), ("condition", .left), ("repeat", .left),
            ("fired", .right), ("note", .left),
        ])
        for row in rows {
            let cells = [
                row.id.description, row.stateName(at: .now), row.rule.instrument?.description ?? "",
                RuleWords.condition(row.rule.condition), RuleWords.repetition(row.rule.repetition),
                String(row.firings), row.rule.note,
            ]
            table.append(cells.map { TextTable.Cell($0) })
        }
        return table
    }

    /// One rule, a field a line.
    static func page(_ row: StoredRule) -> [StyledLine] {
        let rule = row.rule
        var fields = [("id", row.id.description), ("state", row.stateName(at: .now))]
        if let instrument = rule.instrument { fields.append(("instrument", instrument.description)) }
        fields.append(("condition", RuleWords.condition(rule.condition)))
        fields.append(("repeat", RuleWords.repetition(rule.repetition)))
        if let expires = rule.expires { fields.append(("expires", expires.plain)) }
        if !rule.note.isEmpty { fields.append(("note", rule.note)) }
        if !rule.tags.isEmpty { fields.append(("tags", rule.tags.joined(separator: ", "))) }
        fields.append(
            ("channels", rule.channels.isEmpty ? "all" : rule.channels.joined(separator: ", ")))
        fields.append(("fired", "\(row.firings) times"))
        if let done = row.done { fields.append(("done", done.plain)) }
        fields.append(("version", "\(row.version)"))
        fields.append(("created", row.created.plain))
        fields.append(("updated", row.updated.plain))
        fields.append(("rule", rule.json))
        var table = TextTable([("field", .left), ("value", .left)])
        for (name, value) in fields { table.append([TextTable.Cell(name, .faint), TextTable.Cell(value)]) }
        return Array(table.lines(columns: 4_096).dropFirst())
    }
}

/// What happened to a rule, as a table and as lines of JSON.
enum HistoryRows {
    static func table(_ events: [RuleEvent]) -> TextTable {
        var table = TextTable([("time", .left), ("what", .left), ("version", .right), ("", .left)])
        for event in events {
            let what = event.epoch.map { "\(event.kind.rawValue) #\($0)" } ?? event.kind.rawValue
            let cells = [
                event.time.plain, what, String(event.version),
                event.text + (event.held.map { " (\($0))" } ?? ""),
            ]
            table.append(cells.map { TextTable.Cell($0) })
        }
        return table
    }

    static func write(_ events: [RuleEvent]) throws {
        let output = StandardOutput()
        for event in events { try output.writeLine(json: event) }
        try output.flush()
    }
}

/// Conditions in a few words.
enum RuleWords {
    static func condition(_ condition: AlertCondition) -> String {
        switch condition {
        case .crosses(let price, let way, let level): return "\(price.rawValue) \(way.rawValue) \(level)"
        case .leaves(let price, let low, let high): return "\(price.rawValue) leaves \(low)...\(high)"
        case .change(let change):
            let size =
                switch change.size {
                case .percent(let percent): "\(percent) %"
                case .amount(let amount): amount.description
                }
            return "\(change.price.rawValue) moves \(size) within \(time(change.within))"
        case .volume(.above(let size, let within)): return "volume \(size) within \(time(within))"
        case .volume(.times(let factor, let within, _)):
            return "volume \(factor) times the mean within \(time(within))"
        case .spread(let above): return "spread \(above)"
        case .imbalance(_, let way, let level): return "imbalance \(way.rawValue) \(level)"
        case .trade(let size, let side): return "\(side.map { $0.name + " " } ?? "")trade over \(size)"
        case .candle(let interval, let way, let level):
            return "\(time(interval)) close \(way.rawValue) \(level)"
        case .indicator(let interval, let indicator): return "\(time(interval)) \(words(indicator))"
        case .feed(let change): return "feed \(change.rawValue)"
        case .portfolio(let id, let metric, let way, let level):
            return "\(metric.rawValue) of \(id) \(way.rawValue) \(level)"
        case .listing(let venue, let base, let quote):
            return "listing on \(venue) of \(base ?? "*")/\(quote ?? "*")"
        }
    }

    static func repetition(_ repetition: Repetition) -> String {
        switch repetition {
        case .once: return "once"
        case .recurring(let cooldown, let hysteresis):
            let back = hysteresis.units == 0 ? "" : ", back \(hysteresis)"
            return "every \(time(cooldown))\(back)"
        }
    }

    private static func words(_ indicator: IndicatorCondition) -> String {
        switch indicator {
        case .rsi(let period, let way, let level): "RSI \(period) \(way.rawValue) \(level)"
        case .macd(let fast, let slow, let signal, let way):
            "MACD \(fast)/\(slow)/\(signal) \(way.rawValue)"
        case .ema(let fast, let slow, let way): "EMA \(fast)/\(slow) \(way.rawValue)"
        case .bollinger(let period, let deviations, let side):
            "Bollinger \(period), \(deviations), \(side.rawValue)"
        }
    }

    private static func time(_ nanoseconds: Int64) -> String {
        let units: [(Int64, String)] = [
            (86_400_000_000_000, "d"), (3_600_000_000_000, "h"), (60_000_000_000, "m"), (1_000_000_000, "s"),
        ]
        let unit = units.first { nanoseconds % $0.0 == 0 } ?? (1, "ns")
        return nanoseconds == 0 ? "0s" : "\(nanoseconds / unit.0)\(unit.1)"
    }
}
