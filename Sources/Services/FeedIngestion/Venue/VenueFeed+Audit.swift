import Bus
import Instruments
import Logging
import MarketData
import Metrics
import Venues
import Wire

extension VenueFeed {
    /// Compares one book with the venue's, in several rounds; what really differs throws the book away.
    func audit(_ symbol: String) async -> AuditReport {
        guard let index = session.registry.find(symbol) else {
            return AuditReport(detail: "\(parts.configuration.venue):\(symbol) is not followed")
        }
        let report = await compare(index)
        metrics.audited(report)
        note(report, of: session.registry[index])
        guard !report.differences.isEmpty else { return report }
        parts.logger.warning(
            "Book differs from the venue's, fetching it again",
            metadata: ["instrument": "\(session.registry[index])", "levels": "\(report.differences.count)"])
        session.resync(
            index, reason: .auditMismatch, detail: "\(report.differences.count) levels differ",
            at: parts.clock(),
            into: &output)
        absorb()
        flush()
        return report
    }

    private func compare(_ index: InstrumentIndex) async -> AuditReport {
        let id = session.registry[index]
        guard let request = session.auditRequest(for: index) else {
            return AuditReport(detail: "\(id.venue) has no route that an audit could use")
        }
        var audit = BookAudit()
        while true {
            if let refusal = refusal(of: index) { return AuditReport(detail: refusal) }
            let answer = await get(request)
            guard answer.status == 200 else {
                return AuditReport(detail: "\(id.venue) did not answer: \(answer.problem)")
            }
            // The book may have been lost while the answer was under way.
            if let refusal = refusal(of: index) { return AuditReport(detail: refusal) }
            let theirs = answer.body.withUnsafeBytes { session.auditBook($0, for: index) }
            guard let theirs, let ours = session.book(of: index) else {
                return AuditReport(
                    detail: "the answer of \(id.venue) could not be read (\(answer.body.count) bytes)")
            }
            let comparison = BookComparison(
                ours: ours, theirs: theirs, isWhole: parts.configuration.description.auditsWholeBooks)
            guard audit.add(comparison) else { break }
            try? await Task.sleep(for: parts.ingestion.auditPause)
            if Task.isCancelled { return AuditReport(detail: "stopped") }
        }
        let count = audit.differences.count
        return AuditReport(
            isDone: true,
            detail: count == 0 ? "all \(audit.compared) levels agree" : "\(count) levels differ",
            differences: audit.differences, compared: audit.compared)
    }

    private func refusal(of index: InstrumentIndex) -> String? {
        let state = session.state(of: index)
        guard state != .live else { return nil }
        return "\(session.registry[index]) is \(state.name): there is no book to compare"
    }

    // MARK: - What is told of it

    private func note(_ report: AuditReport, of id: InstrumentID) {
        let now = parts.clock()
        if let period = auditPeriod {
            status.agenda.took(id.symbol, isDone: report.isDone, every: period, at: now)
        }
        let next = auditPeriod.flatMap { _ in status.agenda.due(id.symbol) }
        status.audits[id] = report.message(at: now, next: next)
        tell([id])
    }

    /// Says again what was found last of each book, as to a broker that knows nothing.
    func repeatAudits() {
        let followed = Set(auditedSymbols)
        status.audits = status.audits.filter { followed.contains($0.key.symbol) }
        tell(status.audits.keys.sorted())
    }

    /// One message in its turn; a refused one comes again with the next audit of its book.
    private func tell(_ books: [InstrumentID]) {
        var batch = OutboundBatch()
        for id in books {
            guard let audit = status.audits[id], let topic = try? parts.publisher.topic(Topic.bookAudit(id))
            else { continue }
            batch.append(.bookAudit(id, audit), to: topic)
        }
        let count = batch.count
        if count > 0, !parts.publisher.offer(&batch) { metrics.refused.increment(by: count) }
    }

    // MARK: - From time to time

    /// Nanoseconds in which each book is compared once; `nil` where none is by itself.
    ///
    /// What is numbered proves itself: a comparison proves the numbering, and may be rarer.
    private var auditPeriod: Int64? {
        guard parts.ingestion.auditedVenues.contains(parts.configuration.venue) else { return nil }
        let interval = parts.ingestion.auditInterval.wholeNanoseconds
        return parts.configuration.description.proof == .sequence
            ? interval * FeedIngestionConfiguration.numberedAudits : interval
    }

    private var auditedSymbols: [String] {
        parts.configuration.subscriptions.filter { $0.channels.contains(.book) }.map(\.symbol)
    }

    /// The book whose turn it is; `nil` while it is nobody's.
    private func dueAudit() -> String? {
        guard let period = auditPeriod else { return nil }
        return status.agenda.next(of: auditedSymbols, every: period, at: parts.clock())
    }

    func auditIfDue() {
        guard !isAuditing, dueAudit() != nil else { return }
        isAuditing = true
        submit(.audit)
    }

    /// Compares what is due, one book after the other, as fast as audits may ask the venue.
    func auditDue() async {
        defer { isAuditing = false }
        while !Task.isCancelled, let symbol = dueAudit() {
            guard let index = session.registry.find(symbol), session.state(of: index) == .live else {
                // It is fetched anew anyway; nothing is asked and nothing told.
                if let period = auditPeriod {
                    status.agenda.took(symbol, isDone: false, every: period, at: parts.clock())
                }
                continue
            }
            guard parts.gate.takeAudit(session.auditRequest(for: index)?.url ?? "") else { return }
            _ = await audit(symbol)
        }
    }
}
