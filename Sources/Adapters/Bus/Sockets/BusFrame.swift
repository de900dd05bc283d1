import CZeroMQ

/// One frame of a message, reused from message to message so that a burst allocates nothing of its own.
///
/// What ``bytes`` returns is valid until the frame is next received into, allocated or sent.
package struct BusFrame: ~Copyable {
    // SAFETY: short contents lie inside the structure itself, so it stays at one place in memory: allocated
    // by init, closed and freed by deinit, and used only by the thread that owns the frame.
    let raw: UnsafeMutablePointer<zmq_msg_t>

    package init() {
        raw = .allocate(capacity: 1)
        zmq_msg_init(raw)
    }

    deinit {
        zmq_msg_close(raw)
        raw.deallocate()
    }

    /// The contents.
    package var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: zmq_msg_data(raw), count: zmq_msg_size(raw))
    }

    /// Whether the message goes on with another frame.
    package var hasMore: Bool { zmq_msg_more(raw) != 0 }

    /// Discards the contents and makes room for so many bytes, which the caller fills before sending.
    ///
    /// - Precondition: Memory is available.
    package func allocate(_ count: Int) -> UnsafeMutableRawBufferPointer {
        zmq_msg_close(raw)
        let code = zmq_msg_init_size(raw, count)
        precondition(code == 0, "no memory for a message of \(count) bytes")
        return UnsafeMutableRawBufferPointer(start: zmq_msg_data(raw), count: count)
    }

    /// Replaces the contents by a copy.
    package func fill(_ source: UnsafeRawBufferPointer) {
        let target = allocate(source.count)
        if !source.isEmpty { target.copyMemory(from: source) }
    }

    /// Replaces the contents by a copy.
    package func fill(_ source: [UInt8]) { source.withUnsafeBytes { fill($0) } }

    /// What the authenticator named the connection that the frame came over; `nil` without one, as inside the
    /// process.
    ///
    /// The text is valid until the frame is next received into, allocated or sent.
    package var userID: UnsafePointer<CChar>? { zmq_msg_gets(raw, "User-Id") }

    /// The descriptor of the connection that the frame came over; `nil` inside the process.
    ///
    /// It may be somebody else's by now, when the connection has ended.
    package var descriptor: Int32? {
        // Source: libzmq 4.3.4, stream_engine_base.cpp, which sets this property for every connection.
        zmq_msg_gets(raw, "__fd").flatMap { Int32(String(cString: $0)) }
    }
}
