import CZeroMQ
package import Threads

/// What a thread waits for: sockets that can be read, and signals of other threads.
package struct BusPoll: ~Copyable {
    // SAFETY: allocated in init for `capacity` items, freed in deinit, used only by the thread that owns it.
    private let items: UnsafeMutablePointer<zmq_pollitem_t>
    private let capacity: Int
    private var count = 0

    /// Room for so many things to wait for.
    package init(capacity: Int) {
        self.capacity = capacity
        items = .allocate(capacity: capacity)
    }

    deinit { items.deallocate() }

    /// Waits for nothing from now on.
    package mutating func removeAll() { count = 0 }

    /// Waits for the socket too, and returns its place.
    ///
    /// - Precondition: There is room, and the socket lives while it is waited for.
    @discardableResult
    package mutating func add(_ socket: borrowing BusSocket) -> Int { add(socket: socket.raw, descriptor: 0) }

    /// Waits for the signal too, and returns its place.
    ///
    /// - Precondition: There is room, and the signal lives while it is waited for.
    @discardableResult
    package mutating func add(_ wakeup: Wakeup) -> Int { add(socket: nil, descriptor: wakeup.descriptor) }

    /// Waits until something can be read, at most so long; negative means for ever.
    package func wait(milliseconds: Int) {
        // An interrupted wait counts as nothing ready: every caller goes round again.
        if zmq_poll(items, Int32(count), milliseconds) <= 0 {
            for index in 0..<count { items[index].revents = 0 }
        }
    }

    /// Whether the thing at that place could be read after the last wait.
    package func isReady(_ index: Int) -> Bool { items[index].revents & Int16(ZMQ_POLLIN) != 0 }

    private mutating func add(socket: UnsafeMutableRawPointer?, descriptor: Int32) -> Int {
        precondition(count < capacity, "the poll set was made for \(capacity) items")
        (items + count).initialize(
            to: zmq_pollitem_t(socket: socket, fd: descriptor, events: Int16(ZMQ_POLLIN), revents: 0))
        count += 1
        return count - 1
    }
}
