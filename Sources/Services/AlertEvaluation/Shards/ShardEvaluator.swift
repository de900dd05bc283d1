import AccountStore
import Alerting
import AlertStore
import Instruments
import MarketData
import MarketStore

/// One shard's rules with the engine that decides them, and what it has decided since the last commit.
struct ShardEvaluator: Sendable {
    let shard: Shard
    /// The lease under which it may be committed.
    var leaseEpoch: Int64
    var engine: AlertEngine
    /// The rules as they are stored.
    var rules: [RuleID: StoredRule] = [:]
    /// The last change of rules that is taken into account.
    var ruleChange: Int64
    var output: [AlertOutput] = []
    /// Rules that came while their data was in doubt, perhaps.
    var newcomers = Newcomers()
    /// What they are told that others were told before.
    var lateDoubts: [LateDoubt] = []
    /// Whether anything was evaluated since the last commit.
    var isDirty = false
    /// Places of its instruments.
    var followers: [Int] = []

    init(_ loaded: LoadedShard, limits: AlertLimits) {
        shard = loaded.shard
        leaseEpoch = loaded.leaseEpoch
        ruleChange = loaded.ruleChange
        engine = AlertEngine(limits: limits)
    }

    // MARK: - Data

    mutating func take(_ trade: borrowing Trade, _ sequence: UInt64, _ market: MarketHandle) {
        engine.trade(trade, sequence: sequence, of: market, into: &output)
        isDirty = true
    }

    mutating func takeMissed(
        _ trade: Trade, found: Timestamp, clockOffset: Int64, _ market: MarketHandle
    ) {
        engine.missed(trade, found: found, clockOffset: clockOffset, of: market, into: &output)
        isDirty = true
    }

    mutating func take(_ quote: BookQuote, _ market: MarketHandle) {
        engine.quote(quote, of: market, into: &output)
        isDirty = true
    }

    mutating func takeLevels(_ quote: BookQuote, _ market: MarketHandle) {
        engine.levels(quote, of: market, into: &output)
        isDirty = true
    }

    /// An index or mark price; `lateBy` is not 0 for one that was said while nobody looked.
    mutating func take(
        _ kind: PriceKind, _ price: DecimalNumber, at time: Timestamp, _ now: Timestamp, lateBy: Int64,
        _ market: MarketHandle
    ) {
        engine.reference(
            kind, Price(price.units), price.scale, at: time, received: now, lateBy: lateBy, of: market,
            into: &output)
        isDirty = true
    }

    /// A figure of a derivative's state, as ``take(_:_:at:_:lateBy:_:)`` takes a price.
    mutating func take(
        _ measure: DerivativeMeasure, _ value: DecimalNumber, _ tick: (time: Timestamp, received: Timestamp),
        lateBy: Int64, _ market: MarketHandle
    ) {
        engine.derivative(measure, value, tick, lateBy: lateBy, of: market, into: &output)
        isDirty = true
    }

    mutating func take(
        _ portfolio: String, _ metric: PortfolioMetric, _ value: DecimalNumber, at time: Timestamp
    ) {
        engine.portfolio(portfolio, metric, value, at: time, into: &output)
        isDirty = true
    }

    mutating func take(_ listing: Listing, _ now: Timestamp) {
        engine.listed(
            listing.instrument, base: listing.base, quote: listing.quote, at: listing.time, received: now,
            into: &output)
        isDirty = true
    }

    mutating func take(_ candle: ClosedCandle, found: Timestamp?, _ market: MarketHandle) {
        engine.close(candle, found: found, of: market, into: &output)
        isDirty = true
    }

    // MARK: - Proof and time

    mutating func doubt(_ source: AlertSource, _ market: MarketHandle, _ reason: String, at now: Timestamp) {
        engine.doubt(source, of: market, at: now, because: reason, into: &output)
    }

    mutating func prove(
        _ source: AlertSource, _ market: MarketHandle, at now: Timestamp, isComplete: Bool = false
    ) {
        engine.prove(source, of: market, at: now, isComplete: isComplete, into: &output)
    }

    /// Lets time pass: by the venue's clock for conditions that must hold, by ours for owners that see
    /// nothing.
    mutating func advance(
        _ market: MarketHandle, of instrument: InstrumentID, isFollowed: Bool, venueTime: Timestamp?,
        now: Timestamp
    ) {
        if let venueTime { engine.endHolding(market, at: venueTime, into: &output) }
        let waiting =
            newcomers.isEmpty
            ? [] : tellNewcomers(market, instrument, isFollowed: isFollowed, at: now)
        engine.tellBlind(market, at: now, waiting: waiting, into: &output)
    }

    // MARK: - Rules

    /// Enters a rule, or one in place of its former self.
    ///
    /// - Throws: ``AlertEngineError``: then it is not evaluated.
    mutating func enter(_ rule: StoredRule, at now: Timestamp) throws(AlertEngineError) {
        engine.remove(rule.rule.id)
        try engine.add(rule.rule, at: now, into: &output)
        isDirty = true
    }

    /// Enters many rules at once.
    ///
    /// - Returns: How many cannot be evaluated.
    mutating func enter(_ rules: [StoredRule], at now: Timestamp) -> Int {
        var refused = 0
        engine.load(rules.lazy.map(\.rule), at: now, into: &output) { _, _ in refused += 1 }
        isDirty = true
        return refused
    }

    mutating func forget(_ rule: RuleID) {
        engine.remove(rule)
        if let known = rules.removeValue(forKey: rule) { newcomers.remove(known.rule) }
        isDirty = true
    }

    /// Whether anything was decided that is to be stored.
    var hasNews: Bool { !output.isEmpty || !lateDoubts.isEmpty }

    /// What was decided since the last time, as it is to be stored.
    mutating func takeSteps(at now: Timestamp) -> [EvaluationCommit.Step] {
        var steps: [EvaluationCommit.Step] = []
        for event in output {
            switch event {
            case .fired(let firing):
                guard let rule = rules[firing.rule] else { continue }
                let isDone = rule.rule.repetition == .once
                steps.append(.init(rule, FiringRow(firing, of: rule, state: [], isDone: isDone)))
            case .quieted(let id, let period):
                guard let rule = rules[id] else { continue }
                steps.append(.init(rule, FiringRow(period, .quieted, of: rule, at: now)))
            case .quietEnded(let id, let period):
                guard let rule = rules[id] else { continue }
                steps.append(.init(rule, FiringRow(period, .quietEnded, of: rule, at: now)))
            case .expired(let id, _):
                if let rule = rules[id] { steps.append(.init(rule, nil)) }
            case .blind(let instrument, let source, let since, let reason):
                var ids = newcomers.take(source, of: instrument, upTo: now)
                engine.forEachRule(of: instrument, needing: source) { ids.append($0) }
                let doubt = LateDoubt(
                    instrument: instrument, source: source, since: since, reason: reason, rules: ids)
                steps += blindSteps(doubt, at: now)
            case .seesAgain(let instrument, let source, let since, let time):
                var ids: [RuleID] = []
                engine.forEachRule(of: instrument, needing: source) { ids.append($0) }
                for (rule, others) in firstOfEachOwner(ids) {
                    let words =
                        "sees again since \(time.iso8601): \(source.words(of: instrument)) can be believed, "
                        + "after being blind since \(since.iso8601)" + Self.others(others)
                    var row = FiringRow(.seesAgain, of: rule, reason: words, at: time, saidAt: now)
                    row.lateBy = max(0, time.nanoseconds(since: since))
                    steps.append(.init(rule, row))
                }
            }
        }
        output.removeAll(keepingCapacity: true)
        for doubt in lateDoubts { steps += blindSteps(doubt, at: now) }
        lateDoubts.removeAll()
        return steps
    }

    private func blindSteps(_ doubt: LateDoubt, at now: Timestamp) -> [EvaluationCommit.Step] {
        firstOfEachOwner(doubt.rules).map { rule, others in
            let words =
                "blind since \(doubt.since.iso8601): \(doubt.source.words(of: doubt.instrument)) cannot be "
                + "believed, \(doubt.reason)" + Self.others(others)
            let row = FiringRow(.blind, of: rule, reason: words, at: doubt.since, saidAt: now)
            return EvaluationCommit.Step(rule, row)
        }
    }

    /// For each owner the first of some rules, and how many others there are.
    private func firstOfEachOwner(_ ids: [RuleID]) -> [(StoredRule, Int)] {
        var byOwner: [UserID: [StoredRule]] = [:]
        for id in Set(ids).sorted() {
            if let rule = rules[id] { byOwner[rule.user, default: []].append(rule) }
        }
        return byOwner.values.compactMap { rules in
            rules.min { $0.id < $1.id }.map { ($0, rules.count - 1) }
        }.sorted { $0.0.id < $1.0.id }
    }

    private static func others(_ count: Int) -> String {
        guard count > 0 else { return "" }
        return count == 1 ? "; so is another rule of yours" : "; so are \(count) other rules of yours"
    }
}

extension AlertSource {
    /// What cannot be believed, for a person.
    fileprivate func words(of subject: InstrumentID) -> String {
        switch (self, subject.venue) {
        case (.trades, _): "trades of \(subject)"
        case (.book, _): "book of \(subject)"
        case (.mark, _): "mark price of \(subject)"
        case (.derivative, _): "funding and open interest of \(subject)"
        case (.reference, .portfolio): "worth of \(subject)"
        case (.reference, _) where subject.symbol == "*": "what \(subject.venue) lists"
        case (.reference, .index): "index price of \(subject.symbol)"
        case (.reference, _): "index price of \(subject)"
        }
    }
}
