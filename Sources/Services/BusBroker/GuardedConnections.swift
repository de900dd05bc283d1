import Bus

/// Which subscriber's connection is which, so that one can be ended.
///
/// ZeroMQ 4.3.4 pairs what is received of an XPUB socket with whom it came from by counting, and counts
/// messages that are no subscriptions wrongly: after one of them a subscription would be given to the next
/// subscriber. So after one nothing is taken until all that had arrived is read, which sets it right; whose
/// subscriptions were lost by that connects, and subscribes, again.
///
/// Source: libzmq 4.3.4, xpub.cpp: `xread_activated` appends to `_pending_pipes` only for subscriptions,
/// `xrecv` takes from it for every message.
struct GuardedConnections {
    private struct Subscriber {
        var key: String
        var rights: [String]
    }

    /// The ports that subscribers come to; none where nobody can be sent away.
    var ports: [UInt16] = []

    private var subscribers: [Int32: Subscriber] = [:]
    private var isPairingWrong = false

    /// Looks at a message of a subscriber; false when it is none to be taken.
    mutating func note(_ frame: borrowing BusFrame) -> Bool {
        if let mark = frame.bytes.first, mark <= 1, !isPairingWrong { return true }
        isPairingWrong = true
        if let descriptor = frame.descriptor { end(descriptor) }
        return false
    }

    /// Everything that had arrived was read.
    mutating func pairingIsRight() { isPairingWrong = false }

    /// Remembers under which rights somebody has subscribed.
    mutating func remember(_ frame: borrowing BusFrame, rights: [String]) {
        guard let descriptor = frame.descriptor, let user = frame.userID else { return }
        subscribers[descriptor] = Subscriber(key: String(cString: user), rights: rights)
    }

    /// Ends the connections of all whose rights have changed; they come again, if they may.
    mutating func endUnless(_ isUnchanged: (_ key: String, _ rights: [String]) -> Bool) {
        for (descriptor, subscriber) in subscribers where !isUnchanged(subscriber.key, subscriber.rights) {
            end(descriptor)
            subscribers[descriptor] = nil
        }
    }

    private func end(_ descriptor: Int32) {
        AcceptedConnection.end(descriptor, ports: ports)
    }
}
