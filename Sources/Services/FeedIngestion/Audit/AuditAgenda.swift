import Instruments

/// Which book is compared with the venue's next, and when: each once a period, evenly spread over it.
///
/// It decides and asks nobody. How fast a venue may be asked is its gate's to say: where that is slower, the
/// book that has waited longest comes first.
struct AuditAgenda: Sendable {
    /// What is audited, in the order in which it was followed.
    private var followed: [String] = []
    /// When each is due.
    private var due: [String: Timestamp] = [:]

    /// When a book is compared again by itself, at the earliest; `nil` for one that is not audited.
    func due(_ symbol: String) -> Timestamp? { due[symbol] }

    /// The book that has been due longest.
    ///
    /// - Parameters:
    ///   - symbols: What is audited now; what is new of it comes within a period, in its order.
    ///   - period: Nanoseconds in which each is audited once.
    ///   - now: The time.
    /// - Returns: Its symbol; `nil` while none is due.
    mutating func next(of symbols: [String], every period: Int64, at now: Timestamp) -> String? {
        if symbols != followed { follow(symbols, every: period, at: now) }
        let last = now.adding(nanoseconds: period)
        // A clock that was set back puts nothing off for longer than a period.
        for (symbol, time) in due where time > last { due[symbol] = last }
        let first = due.min { ($0.value, $0.key) < ($1.value, $1.key) }
        return first.flatMap { $0.value <= now ? $0.key : nil }
    }

    /// An audit of a book has ended: it is due again after a period, and much sooner when the two books could
    /// not be compared.
    mutating func took(_ symbol: String, isDone: Bool, every period: Int64, at now: Timestamp) {
        guard due[symbol] != nil else { return }
        due[symbol] = now.adding(nanoseconds: isDone ? period : min(period, Self.patience))
    }

    /// Nanoseconds after which a book is tried again that could not be compared.
    private static let patience: Int64 = 60_000_000_000

    private mutating func follow(_ symbols: [String], every period: Int64, at now: Timestamp) {
        followed = symbols
        let known = due
        due = [:]
        let new = symbols.filter { known[$0] == nil }
        for symbol in symbols { due[symbol] = known[symbol] }
        for (place, symbol) in new.enumerated() {
            let part = period / Int64(new.count) * Int64(place + 1)
            due[symbol] = now.adding(nanoseconds: part)
        }
    }
}
