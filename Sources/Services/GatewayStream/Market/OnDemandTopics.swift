import Instruments

/// Decides what is followed on demand: what somebody holds, and what was asked for within the last minutes.
///
/// Times are those of a clock that nobody sets: what is not wanted any more ends whatever day it is. Bounded
/// for each kind: past the bound what nobody holds and was wanted longest ago makes room.
struct OnDemandTopics: Sendable {
    private struct Interest: Sendable {
        var holders = 0
        var wantedAt: Timestamp
    }

    /// What came of a wish.
    enum Outcome: Sendable, Equatable {
        /// It is followed already.
        case followed
        /// It has to be subscribed to, and these are not to be followed any more.
        case begun(ended: [OnDemandTopic])
        /// Everything of its kind is held by somebody.
        case refused
    }

    /// How long something is followed after it was wanted last, in nanoseconds: five minutes.
    static let patience: Int64 = 300_000_000_000

    private var interests: [OnDemandTopic: Interest] = [:]
    private var counts = [0, 0, 0, 0]

    /// How many things are followed.
    var count: Int { interests.count }

    /// Whether a thing is followed.
    func contains(_ thing: OnDemandTopic) -> Bool { interests[thing] != nil }

    /// Wants a thing now, for some minutes, or until ``release(_:at:)`` when it is held.
    mutating func want(_ thing: OnDemandTopic, isHeld: Bool, at now: Timestamp) -> Outcome {
        if interests[thing] != nil {
            interests[thing]?.wantedAt = now
            if isHeld { interests[thing]?.holders += 1 }
            return .followed
        }
        var ended: [OnDemandTopic] = []
        if counts[thing.kind] >= thing.limit {
            guard let oldest = oldest(of: thing.kind) else { return .refused }
            remove(oldest)
            ended.append(oldest)
        }
        interests[thing] = Interest(holders: isHeld ? 1 : 0, wantedAt: now)
        counts[thing.kind] += 1
        return .begun(ended: ended)
    }

    /// Takes back one holding.
    mutating func release(_ thing: OnDemandTopic, at now: Timestamp) {
        guard let interest = interests[thing], interest.holders > 0 else { return }
        interests[thing]?.holders -= 1
        interests[thing]?.wantedAt = now
    }

    /// Ends what nobody holds or has wanted for ``patience``.
    mutating func expire(at now: Timestamp) -> [OnDemandTopic] {
        let ended = interests.filter {
            $0.value.holders == 0 && now.nanoseconds(since: $0.value.wantedAt) > Self.patience
        }.map(\.key)
        for thing in ended { remove(thing) }
        return ended
    }

    private mutating func remove(_ thing: OnDemandTopic) {
        interests[thing] = nil
        counts[thing.kind] -= 1
    }

    private func oldest(of kind: Int) -> OnDemandTopic? {
        interests.filter { $0.key.kind == kind && $0.value.holders == 0 }
            .min { $0.value.wantedAt < $1.value.wantedAt }?.key
    }
}
