import Instruments
import Logging
import MarketData
import Metrics
import Venues
import Web

extension VenueFeed {
    /// Asks the venue, again if that is worth it, and hands the answer to the session.
    func fetch(_ request: VenueRequest, _ epoch: Int) async {
        var plan = RequestPlan(request.purpose)
        var backoff = Backoff(base: 500_000_000, cap: 30_000_000_000)
        var generator = SystemRandomNumberGenerator()
        while true {
            let answer = await get(request)
            if Task.isCancelled { return }
            switch plan.next(status: answer.status, retryAfter: answer.retryAfter) {
            // The session hears that none came, and decides whether another one is needed.
            case .deliver: return deliver(isOutdated(request, epoch) ? Answer() : answer, to: request)
            case .again(let pause):
                let wait = backoff.delay(atLeast: pause, using: &generator)
                try? await Task.sleep(for: .nanoseconds(wait))
            }
        }
    }

    /// What came of one request; status 0 is no answer.
    struct Answer: Sendable {
        var status = 0
        var body: [UInt8] = []
        var retryAfter: Duration?
        var problem = ""
    }

    /// Asks once, in turn.
    func get(_ request: VenueRequest) async -> Answer {
        await parts.gate.wait(for: request.isUrgent ? .urgent : .patient, url: request.url)
        if Task.isCancelled { return Answer(problem: "stopped") }
        do throws(WebError) {
            let response = try await send(request)
            metrics.requested(status: response.status)
            let ban = RequestPlan.ban(status: response.status, retryAfter: response.retryAfter)
            if ban > 0 {
                parts.gate.pauseRequests(for: ban, status: response.status)
                parts.logger.warning(
                    "The venue asks to wait",
                    metadata: ["status": "\(response.status)", "seconds": "\(ban / 1_000_000_000)"])
            }
            return Answer(
                status: response.status, body: response.body, retryAfter: response.retryAfter,
                problem: response.status == 200 ? "" : "status \(response.status)")
        } catch {
            metrics.requested(error: error)
            parts.logger.info("No answer", metadata: ["error": "\(error)"])
            return Answer(problem: error.description)
        }
    }

    private func send(_ request: VenueRequest) async throws(WebError) -> HTTPResponse {
        guard let body = request.body else { return try await parts.http.get(request.url, pins: pins) }
        return try await parts.http.send(
            "POST", request.url, headers: [("Content-Type", "application/json")], body: Array(body.utf8),
            pins: pins)
    }

    private func deliver(_ answer: Answer, to request: VenueRequest) {
        let malformed = output.counters.malformed
        answer.body.withUnsafeBytes {
            session.responded(to: request, status: answer.status, body: $0, at: parts.clock(), into: &output)
        }
        // Some venues say "too many requests" with a status that says otherwise.
        var answer = answer
        if answer.status == 200, output.counters.malformed != malformed {
            answer.status = 0
            answer.problem = "an answer that could not be read"
        }
        if request.purpose == .instruments, answer.status != 200 { missList() }
        guard case .trades(let index) = request.purpose else {
            absorb()
            return flush()
        }
        let trades = trades(of: index)
        backfill.grow(to: session.registry.count)
        answering = index
        absorb()
        answering = nil
        settle(index, trades, answer)
        flush()
    }

    // MARK: - Missed trades

    /// The newest stored trades, known once PostgreSQL answers: what happened since is asked for.
    func resume(after marks: [InstrumentID: TradeMark]) {
        backfill.grow(to: session.registry.count)
        for index in session.registry.indices {
            backfill.know(stored: marks[session.registry[index]], of: index)
            backfill.release(index, into: &queued)
        }
        askForTrades()
        flush()
    }

    /// Trades behind these places were refused; from here on they are taken again.
    func refetch(_ holes: [TradeHole]) {
        backfill.grow(to: session.registry.count)
        for hole in holes {
            if let index = session.registry.find(hole.instrument.symbol) {
                if let mark = hole.after {
                    backfill.refused(after: mark, of: index)
                } else {
                    record(nil, of: index, "nothing was stored before them")
                }
            }
            parts.queue?.resume(hole.instrument)
        }
        askForTrades()
    }

    /// Up to where each tape is whole, for the feed that takes over.
    func wholeTapes() -> [InstrumentID: TradeMark] {
        var marks: [InstrumentID: TradeMark] = [:]
        for (offset, mark) in backfill.wholeUpTo.enumerated() {
            if let mark { marks[session.registry.ids[offset]] = mark }
        }
        return marks
    }

    func askForTrades() {
        // Without a connection the answer would be out of date before the first live trade.
        guard links.values.contains(where: \.isUp) else { return }
        for (index, mark) in backfill.takeDue(at: parts.clock()) {
            if let request = session.tradesRequest(for: index, after: mark) {
                submit(request)
            } else {
                giveUp(index, "the venue has no route for them")
            }
        }
    }

    private func trades(of wanted: InstrumentIndex) -> [TradeMark] {
        output.events.compactMap { event in
            guard case .trade(let index, let trade) = event, index == wanted else { return nil }
            return TradeMark(id: trade.id, venueTime: trade.venueTime, isAggregate: trade.isAggregate)
        }
    }

    private func settle(_ index: InstrumentIndex, _ trades: [TradeMark], _ answer: Answer) {
        switch answer.status {
        case 200: break
        case 0, 429, 500...599:
            // The trades after the gap wait in order, so that nothing is lost by trying again later.
            backfill.failed(index, askAgainAt: parts.clock().adding(nanoseconds: 30_000_000_000))
            return parts.logger.info(
                "Missed trades not fetched yet",
                metadata: ["instrument": "\(session.registry[index])", "problem": "\(answer.problem)"])
        default: return giveUp(index, answer.problem)
        }
        if let gap = backfill.unproven(index, trades, at: parts.clock()) {
            record(gap, of: index, "the venue does not give the trade before them")
        }
        // Of equal times the last one.
        let newest = trades.reversed().max { $0.venueTime < $1.venueTime }
        switch backfill.answered(index, newest: newest) {
        case .done: break
        case .ask: askForTrades()
        case .tooLong(let gap): record(gap, of: index, "too many were missed")
        }
        backfill.release(index, into: &queued)
    }

    private func giveUp(_ index: InstrumentIndex, _ reason: String) {
        record(backfill.giveUp(index), of: index, reason)
        backfill.release(index, into: &queued)
    }

    /// Has what cannot be had written down, before any trade that waits behind it: a hole is never silent.
    func record(_ gap: TapeGap?, of index: InstrumentIndex, _ reason: String) {
        metrics.holes.increment()
        let hole = TradeHole(instrument: session.registry[index], after: gap?.after, until: gap?.until)
        hole.log(reason, parts.logger)
        parts.queue?.offer(hole)
    }
}

extension VenueRequest {
    /// Whether it asks for the whole book that changes are to follow.
    var isForImage: Bool {
        if case .bookSnapshot = purpose { true } else { false }
    }

    /// Whether a book waits for it.
    fileprivate var isUrgent: Bool {
        switch purpose {
        case .instruments, .bookSnapshot, .connection: true
        case .audit, .trades, .openInterest: false
        }
    }
}

extension TradeHole {
    fileprivate func log(_ reason: String, _ logger: Logger) {
        logger.warning(
            "Missed trades cannot be fetched: a hole",
            metadata: [
                "instrument": "\(instrument)", "after": "\(after?.venueTime.iso8601 ?? "the beginning")",
                "reason": "\(reason)",
            ])
    }
}
