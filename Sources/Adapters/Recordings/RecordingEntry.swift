public import Instruments

/// Which protocol an entry of a recording belongs to.
public enum RecordingKind: String, Sendable, Hashable, CaseIterable {
    /// A WebSocket connection.
    case ws
    /// A REST request.
    case http
}

/// Which way an entry of a recording went.
public enum RecordingDirection: String, Sendable, Hashable, CaseIterable {
    /// From the venue.
    case `in`
    /// To the venue.
    case out
    /// A connection being opened.
    case open
}

/// One line of a recording: a message, a REST answer or the opening of a connection.
public struct RecordingEntry: Hashable, Sendable {
    /// When it was received or sent.
    public var time: Timestamp
    /// The connection's number in this recording.
    public var connection: Int
    /// WebSocket or REST.
    public var kind: RecordingKind
    /// From or to the venue.
    public var direction: RecordingDirection
    /// The address of an opened connection or of a REST answer.
    public var url: String?
    /// The exact text of the wire as UTF-8; empty where the line has none.
    public var data: [UInt8]

    public init(
        time: Timestamp, connection: Int, kind: RecordingKind, direction: RecordingDirection,
        url: String? = nil,
        data: [UInt8] = []
    ) {
        self.time = time
        self.connection = connection
        self.kind = kind
        self.direction = direction
        self.url = url
        self.data = data
    }
}

/// A line of a recording in the reader's own memory, for loops that must not allocate.
///
/// The buffers are valid only until the closure that received the frame returns.
public struct RecordingFrame {
    /// When it was received or sent.
    public let time: Timestamp
    /// The connection's number in this recording.
    public let connection: Int
    /// WebSocket or REST.
    public let kind: RecordingKind
    /// From or to the venue.
    public let direction: RecordingDirection
    /// The address as UTF-8; empty where the line has none.
    public let url: UnsafeRawBufferPointer
    /// The exact text of the wire as UTF-8; empty where the line has none.
    public let data: UnsafeRawBufferPointer

    package init(
        time: Timestamp, connection: Int, kind: RecordingKind, direction: RecordingDirection,
        url: UnsafeRawBufferPointer, data: UnsafeRawBufferPointer
    ) {
        self.time = time
        self.connection = connection
        self.kind = kind
        self.direction = direction
        self.url = url
        self.data = data
    }

    /// A copy that may be kept.
    public var entry: RecordingEntry {
        RecordingEntry(
            time: time, connection: connection, kind: kind, direction: direction,
            url: url.isEmpty ? nil : String(decoding: url, as: UTF8.self), data: Array(data))
    }
}
