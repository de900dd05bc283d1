import GatewayFrame
import GatewayStream
import Hummingbird
import Instruments
import MarketState
import MarketStore
import Statistics
import Store

/// Candles and indicators.
struct CandleRoutes: Sendable {
    let services: GatewayServices

    func add(to routes: RouteTable) {
        routes.get(
            "/v1/candles/{instrument}", .market,
            Operation(
                "listCandles", .market, "Candles, oldest first.", "The cursor leads to the candles before."),
            weight: 3, query: CandleListQuery.parameters
        ) { context in
            let question = try CandleListQuery(context, list: "candles")
            let instrument = try await services.instrument(try context.instrument())
            let (interval, rows, next) = try await chart(question, instrument.id)
            let terms = ContractTerms(instrument)
            var candles = CandlesBody(
                instrument: instrument.id, interval: interval,
                items: rows.map { ListedCandleBody($0, terms) }, next: next)
            if question.isLive, let open = services.market.openCandle(interval, instrument.id) {
                candles.add(open, after: rows, question)
            }
            return OK(candles, freshness: question.freshness(of: rows, at: services.clock()))
        }
        routes.get(
            "/v1/indicators/{instrument}", .market,
            Operation(
                "listIndicator", .market, "An indicator over stored candles, oldest first.",
                """
                Values are null before there are enough candles. They are computed with binary fractions and \
                rounded to four decimal places more than the instrument's prices have (obv: than its amounts \
                have), at most 15 digits.
                """), weight: 3,
            query: CandleListQuery.page + IndicatorQuery.parameters + CandleListQuery.span
        ) { context in try await indicator(context) }
    }

    /// What there is of a chart: while its own candles are still to come, those of the longest shorter
    /// interval that has two or more, else of the one that has any.
    private func chart(
        _ question: CandleListQuery, _ id: InstrumentID
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
        _ question: CandleListQuery, _ id: InstrumentID, lead: Int = 0
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
    private func indicator(_ context: GatewayContext) async throws -> OK<IndicatorBody> {
        let (name, settings) = try IndicatorQuery.read(context.query)
        let question = try CandleListQuery(context, list: "indicators")
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
        return OK(
            IndicatorBody(
                instrument: id, interval: question.interval, name: name.rawValue,
                items: Array(items.suffix(question.limit))),
            freshness: question.freshness(of: rows, at: services.clock()))
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
