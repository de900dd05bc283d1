import Instruments
import MarketData
import Venues

@testable import FeedIngestion

/// What is said of the session's books, held against the venue's.
extension FaultWorld {
    private func instrument(_ place: Int) -> InstrumentIndex? { session.registry.find(symbols[place]) }

    func isLive(_ place: Int) -> Bool { instrument(place).map { session.state(of: $0) == .live } ?? false }

    var areLive: Bool { symbols.indices.allSatisfy(isLive) }

    /// A book that is called live is one that the venue had, and goes not back to an earlier one, as far as
    /// the venue's proof goes.
    ///
    /// Two changes of one level in the wrong order fit their checksums, until the next message shows it.
    mutating func compare() throws {
        for place in symbols.indices where !tainted.contains(place) {
            guard isLive(place), let index = instrument(place), let book = session.book(of: index) else {
                places[place] = 0
                continue
            }
            let ours = SpokenBook(book)
            var earliest = places[place]
            if case .checksum = speaker.proof { earliest = 0 }
            guard let found = ours.flatMap({ markets[place].place(of: $0, from: earliest) }) else {
                let words = ours.map { "\($0)" } ?? "parts of units"
                throw failure(place, "is live and wrong: \(words), the venue's \(markets[place].book)")
            }
            places[place] = found
        }
    }

    /// Each book is live and the venue's, now that nothing happens.
    func expectTruth(butTainted: Bool = false) throws {
        for place in symbols.indices {
            let index = instrument(place)
            guard isLive(place), let book = index.flatMap({ session.book(of: $0) }) else {
                let state = index.map { "\(session.state(of: $0))" } ?? "unknown"
                throw failure(place, "is not live again: \(state)")
            }
            if butTainted, tainted.contains(place) { continue }
            let ours = SpokenBook(book)
            guard ours == markets[place].book else {
                let words = ours.map { "\($0)" } ?? "parts of units"
                throw failure(place, "ends wrong: \(words), the venue's \(markets[place].book)")
            }
        }
    }

    func failure(_ place: Int, _ words: String) -> FaultFailure {
        FaultFailure(
            description: "\(speaker.testDescription) \(symbols[place]) after \(messages) messages \(words)")
    }

    /// Audits each book; what differs is thrown away, as the feed does.
    ///
    /// - Returns: How many were wrong.
    /// - Throws: When a wrong one is not found.
    mutating func audit() throws -> Int {
        var wrong = 0
        let isWhole = speaker.sample.description.auditsWholeBooks
        for place in symbols.indices {
            guard isLive(place), let index = instrument(place), let ours = session.book(of: index) else {
                continue
            }
            guard session.auditRequest(for: index) != nil else { throw failure(place, "cannot be audited") }
            var answer = speaker.audit(markets[place].whole)
            let theirs = answer.withUTF8 { session.auditBook(UnsafeRawBufferPointer($0), for: index) }
            guard let theirs else { throw failure(place, "has an audit that cannot be read: \(answer)") }
            guard SpokenBook(theirs) == markets[place].book else {
                throw failure(place, "has an audit that is read wrongly: \(answer)")
            }
            let comparison = BookComparison(ours: ours, theirs: theirs, isWhole: isWhole)
            tainted.remove(place)
            places[place] = 0
            guard SpokenBook(ours) != markets[place].book else { continue }
            wrong += 1
            // What is deeper than either side nobody can know.
            let isDeep = !isWhole && comparison.differences.isEmpty
            guard isDeep || !comparison.differences.isEmpty else { throw failure(place, "passes its audit") }
            session.resync(index, reason: .auditMismatch, detail: "differs", at: now, into: &output)
            try obey()
        }
        return wrong
    }
}
