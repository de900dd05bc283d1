import Hummingbird
import Instruments
import MarketState
import MarketStore
import Statistics
import Store

/// A candle of a list; whose it is stands beside the list.
struct ListedCandleBody: Encodable, Hashable, Sendable {
    var start: String
    var open: String
    var high: String
    var low: String
    var close: String
    var volume: String
    var quoteVolume: String?
    var trades: Int64
    var closed: Bool
    var complete: Bool
    var amended: Bool

    private enum CodingKeys: String, CodingKey {
        case start, open, high, low, close, volume
        case quoteVolume = "quote_volume"
        case trades, closed, complete, amended
    }

    init(_ row: CandleRow, _ terms: ContractTerms) {
        func text(_ price: Price) -> String { price.decimal(row.priceScale).normalized.description }
        start = row.start.iso8601(fractionDigits: 0)
        (open, high, low, close) = (text(row.open), text(row.high), text(row.low), text(row.close))
        (volume, quoteVolume) = (row.volumeText, row.quoteVolume(terms))
        (trades, closed) = (row.tradeCount, row.flags.contains(.closed))
        (complete, amended) = (row.isComplete, row.flags.contains(.amended))
    }

    /// A candle as the stream tells it.
    init(_ said: CandleBody) {
        (start, open, high, low, close) = (said.start, said.open, said.high, said.low, said.close)
        (volume, quoteVolume, trades) = (said.volume, said.quoteVolume, Int64(clamping: said.trades))
        (closed, complete, amended) = (said.closed, said.complete, said.amended)
    }
}

/// A chart's candles or an indicator's values, oldest first.
struct SeriesBody<Item: Encodable>: Encodable {
    var instrument: String
    var interval: String
    var name: String?
    var items: [Item]
    /// What `?cursor=` gives the ones before.
    var next: String?

    private enum CodingKeys: String, CodingKey { case instrument, interval, name, items, next }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(instrument, forKey: .instrument)
        try members.encode(interval, forKey: .interval)
        try members.encodeIfPresent(name, forKey: .name)
        try members.encode(items, forKey: .items)
        try members.encode(next, forKey: .next)
    }
}

extension SeriesBody<ListedCandleBody> {
    /// Puts the open candle behind the stored ones, if it is newer than they are and of the span.
    fileprivate mutating func add(_ open: CandleBody, after rows: [CandleRow], _ question: CandleQuestion) {
        guard let start = Timestamp(iso8601: open.start), start >= question.from ?? start else { return }
        // Both are of whole seconds in the same form.
        guard items.last.map({ $0.start < open.start || ($0.start == open.start && !$0.closed) }) ?? true
        else { return }
        if items.last?.start == open.start { items.removeLast() }
        items.append(ListedCandleBody(open))
        // A chart has as many as its span; of shorter candles there may be more.
        guard question.range == nil, items.count > question.limit else { return }
        items.removeFirst()
        next = Cursor.text("candles", "\((rows.count > 1 ? rows[1].start : start).nanoseconds)")
    }
}

/// Which candles somebody wants.
struct CandleQuestion: Hashable, Sendable {
    var interval: CandleInterval
    /// Included; `nil` for as many as there may be.
    var from: Timestamp?
    /// Excluded; `nil` for the newest stored.
    var to: Timestamp?
    /// At most so many, the newest of the span.
    var limit: Int
    /// The chart that they are for, when that was asked for.
    var range: ChartRange?
    /// Whether the open one belongs to them.
    var isLive: Bool

    /// Reads `?interval=&from=&to=&limit=&cursor=`, or `?range=`, either with `&live=`.
    ///
    /// - Throws: `invalid-field`.
    init(_ context: GatewayContext, list: String) throws(Problem) {
        let query = context.query
        let page = try context.page(of: list, limit: 500, most: 1_000)
        interval = try query.choice("interval", CandleInterval.self) ?? .minute
        (from, to, limit) = (try query.time("from"), try query.time("to"), page.limit)
        range = try query.choice("range", ChartRange.self)
        isLive = try query.flag("live")
        for name in ["to", "cursor"] where isLive && !query.all(name).isEmpty {
            throw .invalid("live", "true", accepted: "false beside \(name)")
        }
        if let range {
            for name in ["interval", "from", "to", "limit", "cursor"] where !query.all(name).isEmpty {
                throw .invalid(name, query.all(name).first, accepted: "nothing beside range")
            }
            (interval, limit) = (range.interval, range.count)
        }
        if let after = page.after {
            guard let nanoseconds = Int64(after) else {
                throw .invalid("cursor", after, accepted: "the \"next\" of a page of this list")
            }
            to = Timestamp(nanoseconds: nanoseconds)
        } else if let from, let to, from >= to {
            throw .invalid("from", query.all("from").first, accepted: "a time before to")
        }
    }

    /// Of the past only what is fetched or amended later changes; the newest candles do all the time.
    func freshness(of rows: [CandleRow], at now: Timestamp) -> Freshness {
        guard let to, !rows.isEmpty, interval.end(from: to) <= now else { return .seconds(2) }
        return .seconds(60)
    }
}

/// Candles and indicators.
struct CandleRoutes: Sendable {
    let services: GatewayServices

    func add(to routes: RouteTable) {
        routes.get(
            "/v1/candles/{instrument}", .market, weight: 3,
            query: .page + ["interval", "from", "to", "range", "live"]
        ) { _, context in
            let question = try CandleQuestion(context, list: "candles")
            let instrument = try await services.instrument(try context.instrument())
            let (interval, rows, next) = try await chart(question, instrument.id)
            let terms = ContractTerms(instrument)
            var series = SeriesBody(
                instrument: instrument.id.description, interval: interval.rawValue,
                items: rows.map { ListedCandleBody($0, terms) }, next: next)
            if question.isLive, let open = services.market.openCandle(interval, instrument.id) {
                series.add(open, after: rows, question)
            }
            return .json(series, freshness: question.freshness(of: rows, at: services.clock()))
        }
        routes.get(
            "/v1/indicators/{instrument}", .market, weight: 3,
            query: .page + [
                "name", "period", "fast", "slow", "signal", "smoothing", "deviations", "interval", "from",
                "to", "range",
            ]
        ) { _, context in
            try await indicator(context)
        }
    }

    /// What there is of a chart: while its own candles are still to come, those of the longest shorter
    /// interval that has two or more, else of the one that has any.
    private func chart(
        _ question: CandleQuestion, _ id: InstrumentID
    ) async throws -> (interval: CandleInterval, rows: [CandleRow], next: String?) {
        var (interval, best) = (question.interval, try await rows(question, id))
        guard let range = question.range, best.rows.count < 2 else { return (interval, best.rows, best.next) }
        let span = range.interval.seconds * Int64(range.count)
        let shorter = CandleInterval.allCases.filter { $0.seconds < range.interval.seconds }
            .sorted { $0.seconds > $1.seconds }
        for finer in shorter where best.rows.count < 2 {
            var question = question
            (question.interval, question.limit) = (finer, Int(min(1_000, span / finer.seconds)))
            let found = try await rows(question, id)
            if found.rows.count > best.rows.count { (interval, best) = (finer, found) }
        }
        return (interval, best.rows, best.next)
    }

    /// Oldest first, and the cursor of the ones before.
    private func rows(
        _ question: CandleQuestion, _ id: InstrumentID, lead: Int = 0
    ) async throws -> (rows: [CandleRow], next: String?) {
        let interval = question.interval
        guard let ends = try await services.database.candleEnds(of: id, interval) else { return ([], nil) }
        let to = question.to ?? interval.end(from: ends.newest)
        let from = max(question.from ?? ends.oldest, ends.oldest)
        guard from < to else { return ([], nil) }
        let count = question.limit + lead
        let newest = try await services.database.candles(
            of: id, interval, from: from, to: to, limit: count + 1)
        let rows = Array(newest.prefix(count).reversed())
        let next = newest.count > count ? rows.first.map { "\($0.start.nanoseconds)" } : nil
        return (rows, next.map { Cursor.text("candles", $0) })
    }

    /// The series with its run-up: what looks back gets candles before the first one that is told.
    private func indicator(_ context: GatewayContext) async throws -> Response {
        guard let name = try context.query.choice("name", IndicatorSeries.Name.self) else {
            let names = IndicatorSeries.Name.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem.invalid("name", nil, accepted: names)
        }
        let settings = try Self.settings(context.query, name)
        let question = try CandleQuestion(context, list: "indicators")
        let id = try context.instrument()
        let places = IndicatorText.places(try await services.instrument(id), isOfVolumes: name == .obv)
        let lookBack = [settings.period, settings.slow, settings.signal].compactMap { $0 }.max() ?? 30
        let (rows, _) = try await rows(question, id, lead: min(lookBack * 4, 4_000))
        var series = IndicatorSeries(name, settings)
        var items: [[String: String?]] = []
        for row in rows {
            let values = series.update(PriceBar(row))
            var item: [String: String?] = ["start": row.start.iso8601(fractionDigits: 0)]
            for (index, column) in series.columns.enumerated() {
                item[column] = .some(values.map { IndicatorText.text($0[index], places: places) })
            }
            items.append(item)
        }
        return .json(
            SeriesBody(
                instrument: id.description, interval: question.interval.rawValue, name: name.rawValue,
                items: Array(items.suffix(question.limit)), next: nil),
            freshness: question.freshness(of: rows, at: services.clock()))
    }

    private static func settings(
        _ query: Query, _ name: IndicatorSeries.Name
    ) throws(Problem) -> IndicatorSeries.Settings {
        func period(_ field: String, from least: Int = 1) throws(Problem) -> Int? {
            guard try query.text(field) != nil else { return nil }
            return try query.integer(field, in: least...1_000, default: least)
        }
        var settings = IndicatorSeries.Settings(
            period: try period("period", from: name == .rsi || name == .cci ? 2 : 1),
            fast: try period("fast"), slow: try period("slow"), signal: try period("signal"),
            smoothing: try period("smoothing"))
        if let text = try query.text("deviations") {
            guard let number = Double(text), number > 0, number <= 100 else {
                throw .invalid("deviations", text, accepted: "a number above 0, at most 100")
            }
            settings.deviations = number
        }
        return settings
    }
}

extension PriceBar {
    /// A stored candle as indicators take it: a drawing, so that binary fractions do.
    fileprivate init(_ row: CandleRow) {
        func number(_ price: Price) -> Double { Double(price.decimal(row.priceScale).description) ?? 0 }
        self.init(
            open: number(row.open), high: number(row.high), low: number(row.low), close: number(row.close),
            volume: Double(row.volume.description) ?? 0)
    }
}
