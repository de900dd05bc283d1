import AccountStore
import AlertStore
import Alerting
import Instruments
import Store

/// Decides what becomes of claimed deliveries.
///
/// How much was told lately is in the database, for all notifiers and across their ends: it is read, added to
/// and written in one transaction, with the notice that no more is told now. Whoever dies after that has
/// counted what it did not send: rather one too few than one too many. Only a server that dies may forget the
/// last of it.
struct Admission: Sendable {
    /// What was claimed and can be told, with the zone of its quiet hours.
    var deliveries: [(delivery: Delivery, zone: ZoneOffsets)] = []
    /// The key of a quieted notice, for each user of whom something is counted.
    var notices: [UserID: UniqueID] = [:]
    /// Messages that a user is told within an hour, by all channels.
    let perUser: Int
    let time: Timestamp

    init(perUser: Int, at time: Timestamp) {
        self.perUser = perUser
        self.time = time
    }

    /// Adds a delivery.
    mutating func add(
        _ delivery: Delivery, _ zone: ZoneOffsets, using generator: inout some RandomNumberGenerator
    ) {
        deliveries.append((delivery, zone))
        guard Self.counts(delivery), notices[delivery.channel.user] == nil else { return }
        notices[delivery.channel.user] = UniqueID(version7At: time.nanoseconds, using: &generator)
    }

    /// A firing that was to be told before is counted already.
    private static func counts(_ delivery: Delivery) -> Bool {
        if case .firing = delivery.subject { !delivery.isCounted && delivery.failures == 0 } else { false }
    }

    /// Decides about each, in order.
    func decisions(in database: Database) async throws(StoreError) -> [Pacing.Decision] {
        guard !notices.isEmpty else {
            var pacing = Pacing(perUser: perUser)
            return decide(&pacing)
        }
        let counted = deliveries.map(\.delivery).filter(Self.counts)
        let channels = Array(Set(counted.map(\.channel.id)))
        return try await database.transaction(.undurable) { session in
            var pacing = Pacing(
                perUser: perUser, users: try session.lockPaces(of: notices.keys),
                channels: try session.paces(ofChannels: channels))
            let decisions = decide(&pacing)
            var writes = StatementBatch()
            // tidy: unordered-iteration The rows were locked in order.
            writes.append(.putPaces(Array(pacing.users.values)))
            // tidy: unordered-iteration The statement goes by their ids.
            writes.append(.putPaces(Array(pacing.channels.values)))
            let told = zip(deliveries, decisions).filter { $1 == .deliver && Self.counts($0.delivery) }
            if !told.isEmpty { writes.append(.countDeliveries(told.map { $0.0.delivery.id })) }
            for (entry, decision) in zip(deliveries, decisions) {
                guard case .hold(let hold) = decision, hold.isNews,
                    let id = notices[entry.delivery.channel.user], let limit = hold.limit
                else { continue }
                writes.append(.addNotice(quieted(hold, limit), id, to: entry.delivery.channel.id))
            }
            try session.send(writes)
            return decisions
        }
    }

    private func decide(_ pacing: inout Pacing) -> [Pacing.Decision] {
        deliveries.map { delivery, zone in
            switch delivery.subject {
            case .firing where !Self.counts(delivery): return .deliver
            case .firing:
                return pacing.decide(delivery.channel, isHeld: delivery.isHeld, zone: zone, at: time)
            // Whoever asks for a test wants it now.
            case .notice(let notice) where notice.kind == .test: return .deliver
            case .notice:
                let end = Pacing.quietEnd(delivery.channel.preferences, zone, at: time)
                return end.map { .hold(Pacing.Hold(until: $0)) } ?? .deliver
            }
        }
    }

    private func quieted(_ hold: Pacing.Hold, _ limit: Pacing.Limit) -> OutboxNotice {
        var notice = OutboxNotice(.quieted, time: time, reason: hold.reason)
        notice.count = Int64(limit.count)
        return notice
    }
}
