package import Instruments

/// Decides which provider is asked next, and when.
///
/// One at a time, in order of preference, never two for one question: whoever is the first that is not left
/// alone is asked, and the next one only at a later turn, after the first one failed. Who was asked too often
/// a minute ago is waited for; who failed is left alone for a while, with full jitter and for as long as it
/// asks to; who has no request of the month left is out until the next.
package struct ProviderDesk: Sendable {
    /// What is to be done about a question.
    package enum Choice: Hashable, Sendable {
        /// Ask this one now, and tell what came of it.
        case ask(Venue)
        /// Look again after so many nanoseconds.
        case wait(Int64)
        /// A question is under way.
        case busy
        /// Nobody answers such questions.
        case nobody
    }

    private var standings: [ProviderStanding]
    /// Who is being asked.
    package private(set) var underway: Venue?

    /// A desk of those that would answer, the most preferred first.
    package init(_ uses: [ProviderUse]) {
        standings = uses.filter(\.isUsable).map(ProviderStanding.init)
    }

    /// Those that are asked at all, the most preferred first.
    package var uses: [ProviderUse] { standings.map(\.use) }

    /// How one is used; `nil` for one that is not.
    package func use(of venue: Venue) -> ProviderUse? {
        standings.first { $0.use.provider.venue == venue }?.use
    }

    /// Chooses, and counts the request that it says to make.
    ///
    /// - Parameters:
    ///   - topic: What is to be asked.
    ///   - now: The time.
    ///   - others: Those that cannot be asked just this.
    /// - Returns: Whom to ask, or when to look again.
    package mutating func choose(
        for topic: ProviderTopic, at now: Timestamp, except others: Set<Venue> = []
    ) -> Choice {
        guard underway == nil else { return .busy }
        let able = standings.indices.filter { place in
            let provider = standings[place].use.provider
            return provider.topics.contains(topic) && !others.contains(provider.venue)
        }
        guard !able.isEmpty else { return .nobody }
        guard let first = able.first(where: { !standings[$0].isOut(at: now) }) else {
            return .wait(patience(able, at: now))
        }
        let wait = standings[first].wait(at: now)
        guard wait == 0 else { return .wait(wait) }
        standings[first].take(at: now)
        underway = standings[first].use.provider.venue
        return .ask(standings[first].use.provider.venue)
    }

    /// Until the first one is not left alone any more; at most an hour, for a month may end.
    private func patience(_ able: [Int], at now: Timestamp) -> Int64 {
        let waits = able.filter { standings[$0].left(at: now) != 0 }
            .compactMap { standings[$0].blockedUntil?.nanoseconds(since: now) }
        return min(max(waits.min() ?? ProviderStanding.hour, 1), ProviderStanding.hour)
    }

    /// Takes note that a request was answered, also with "nothing new".
    package mutating func answered(by venue: Venue) {
        guard underway == venue else { return }
        underway = nil
        guard let place = standings.firstIndex(where: { $0.use.provider.venue == venue }) else { return }
        standings[place].noteAnswer()
    }

    /// Takes note of why there is no answer; of a request that nobody was told to make it is nothing.
    package mutating func note(
        _ failure: ProviderFailure, of venue: Venue, at now: Timestamp,
        using generator: inout some RandomNumberGenerator
    ) {
        guard underway == venue else { return }
        underway = nil
        guard let place = standings.firstIndex(where: { $0.use.provider.venue == venue }) else { return }
        standings[place].note(failure, at: now, using: &generator)
    }

    /// Counts requests of this month that were made before.
    package mutating func count(_ requests: Int, of venue: Venue, at now: Timestamp) {
        guard let place = standings.firstIndex(where: { $0.use.provider.venue == venue }) else { return }
        standings[place].count(requests, at: now)
    }

    /// Requests that a provider was asked in the month of `now`.
    package func asked(of venue: Venue, at now: Timestamp) -> Int {
        guard let one = standings.first(where: { $0.use.provider.venue == venue }),
            one.month == ProviderStanding.month(of: now)
        else { return 0 }
        return one.asked
    }
}
