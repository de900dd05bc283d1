import Instruments
import Logging
import MarketData
import Venues

/// What came of comparing a book with the venue's whole depth.
struct AuditReport: Sendable, Hashable {
    /// Whether the comparison could be made.
    var isDone = false
    /// One line for a person.
    var detail = ""
    /// Levels that differed in every round.
    var differences: [LevelDifference] = []
    /// Levels compared in the last round.
    var compared = 0
}

extension VenueFeed {
    /// Compares one book with the venue's, in several rounds; what really differs throws the book away.
    func audit(_ symbol: String) async -> AuditReport {
        guard let index = session.registry.find(symbol) else {
            return AuditReport(detail: "\(parts.configuration.venue):\(symbol) is not followed")
        }
        let report = await compare(index)
        metrics.audited(report)
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

    // MARK: - From time to time

    func auditIfDue(at now: Timestamp) {
        guard parts.ingestion.auditedVenues.contains(parts.configuration.venue), !isAuditing,
            status.nextAudit.map({ $0 <= now }) ?? false
        else {
            if status.nextAudit == nil { scheduleAudit(at: now) }
            return
        }
        isAuditing = true
        scheduleAudit(at: now)
        submit(.audit)
    }

    private func scheduleAudit(at now: Timestamp) {
        status.nextAudit = now.adding(nanoseconds: parts.ingestion.auditInterval.wholeNanoseconds)
    }

    func auditAll() async {
        for (symbol, channels) in parts.configuration.subscriptions where channels.contains(.book) {
            if Task.isCancelled { break }
            _ = await audit(symbol)
        }
        isAuditing = false
    }
}
