import Instruments
import MarketData

/// What is new about an instrument when other things are followed from now on.
struct FollowingChange: Sendable {
    let index: InstrumentIndex
    /// Channels to subscribe to.
    var gained: ChannelSet
    /// Channels to unsubscribe from.
    var lost: ChannelSet

    /// What was wanted before, where this is wanted now.
    func before(_ now: ChannelSet) -> ChannelSet { now.subtracting(gained).union(lost) }
}

extension SessionCore {
    /// Takes over what is to be followed; what has not changed is left alone.
    ///
    /// Books that nobody wants any more are emptied and `syncing` with the reason `unsubscribed`; books that
    /// are new are `syncing` until their image comes.
    ///
    /// - Returns: The changes in the order of the instruments.
    mutating func follow(
        _ subscriptions: [(symbol: String, channels: Set<VenueChannel>)], at time: Timestamp,
        into output: inout VenueOutput
    ) -> [FollowingChange] {
        let known = registry.count
        var wanted: [InstrumentIndex: ChannelSet] = [:]
        for (symbol, channels) in subscriptions {
            guard let index = enter(symbol, channels: []) else { continue }
            wanted[index, default: []].formUnion(ChannelSet(channels))
        }
        var changes: [FollowingChange] = []
        for index in registry.indices {
            let old = channels[index.offset]
            let new = wanted[index] ?? []
            channels[index.offset] = new
            if index.offset >= known, let definition = definitions[registry[index].symbol] {
                output.events.append(.instrument(index, definition))
            }
            guard old != new else { continue }
            let change = FollowingChange(
                index: index, gained: new.subtracting(old), lost: old.subtracting(new))
            if change.lost.contains(.derivative) { derivatives[index] = nil }
            if change.lost.contains(.book) { dropBook(index, at: time, into: &output) }
            if change.gained.contains(.book) { expectBook(index, at: time, into: &output) }
            changes.append(change)
        }
        return changes
    }

    private mutating func dropBook(
        _ index: InstrumentIndex, at time: Timestamp, into output: inout VenueOutput
    ) {
        trackers[index.offset].declare(.syncing, .unsubscribed, at: time, into: &output)
        trackers[index.offset].book.clear()
        trackers[index.offset].phase = .idle
    }

    private mutating func expectBook(
        _ index: InstrumentIndex, at time: Timestamp, into output: inout VenueOutput
    ) {
        trackers[index.offset].attempts = 1
        trackers[index.offset].phase = isConnected ? .waiting(since: time) : .idle
        trackers[index.offset].declare(.syncing, .snapshotPending, at: time, into: &output)
        if isUnlisted(index) { declareUnlisted(index, at: time, into: &output) }
    }

    /// Which instruments begin to want some channels that one topic brings, and which end to want any.
    ///
    /// - Parameters:
    ///   - changes: What ``follow(_:at:into:)`` has said.
    ///   - topic: The channels that come with it.
    /// - Returns: The instruments to unsubscribe from and to subscribe to, in their order.
    func turns(
        _ changes: [FollowingChange], of topic: ChannelSet
    ) -> (lost: [InstrumentIndex], gained: [InstrumentIndex]) {
        var turns: (lost: [InstrumentIndex], gained: [InstrumentIndex]) = ([], [])
        for change in changes {
            let now = channels[change.index.offset]
            let isWanted = !now.isDisjoint(with: topic)
            let wasWanted = !change.before(now).isDisjoint(with: topic)
            if wasWanted, !isWanted { turns.lost.append(change.index) }
            if isWanted, !wasWanted { turns.gained.append(change.index) }
        }
        return turns
    }

    /// Whether any of some channels of an instrument is wanted.
    func wantsAny(of channels: ChannelSet, _ index: InstrumentIndex) -> Bool {
        !self.channels[index.offset].isDisjoint(with: channels)
    }

    // MARK: - What the venue does not list

    /// The venue's list has been read: instruments that are not on it will never have a book, and say so.
    ///
    /// - Parameters:
    ///   - time: When it came.
    ///   - output: Where they say so.
    ///   - isAbout: Whether the list, where it is one of several, would have a symbol.
    mutating func compareWithList(
        at time: Timestamp, into output: inout VenueOutput, _ isAbout: (String) -> Bool = { _ in true }
    ) {
        for index in registry.indices where isUnlisted(index) && wants(.book, index) {
            guard isAbout(registry[index].symbol) else { continue }
            declareUnlisted(index, at: time, into: &output)
        }
    }

    /// Whether the venue's list, as far as it is known, has an instrument.
    func mayExist(_ index: InstrumentIndex) -> Bool { !isUnlisted(index) }
    /// The same where the venue has several lists and one of them has been read.
    mutating func compareWithList(
        of isOnIt: (String) -> Bool, at time: Timestamp, into output: inout VenueOutput
    ) {
        for index in registry.indices where wants(.book, index) && isOnIt(registry[index].symbol) {
            guard definitions[registry[index].symbol] == nil else { continue }
            declareUnlisted(index, at: time, into: &output)
        }
    }

    /// Whether the venue's list is known and does not have an instrument.
    private func isUnlisted(_ index: InstrumentIndex) -> Bool {
        !definitions.isEmpty && definitions[registry[index].symbol] == nil
    }

    /// Only a book that waits for its first image: one that has come proves the list wrong.
    private mutating func declareUnlisted(
        _ index: InstrumentIndex, at time: Timestamp, into output: inout VenueOutput
    ) {
        let tracker = trackers[index.offset]
        guard tracker.state == .syncing, tracker.reason == .snapshotPending else { return }
        trackers[index.offset].declare(
            .syncing, .unlisted, "\(registry.venue) does not list \(registry[index].symbol)", at: time,
            into: &output)
    }
}
