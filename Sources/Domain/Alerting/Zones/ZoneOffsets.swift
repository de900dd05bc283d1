public import Instruments

/// A time zone as the offsets from UTC that hold one after the other, resolved by whoever has the tables.
public struct ZoneOffsets: Hashable, Sendable {
    /// An offset and from when on it holds.
    public struct Span: Hashable, Sendable {
        /// The first instant.
        public var from: Timestamp
        /// Seconds east of UTC.
        public var seconds: Int32

        public init(from: Timestamp, seconds: Int32) {
            self.from = from
            self.seconds = seconds
        }
    }

    /// The name that rules use.
    public let name: String
    private let spans: [Span]

    /// Takes the spans in any order; before the first of them its offset holds as well.
    public init(name: String, spans: [Span]) {
        self.name = name
        self.spans = spans.sorted { $0.from < $1.from }
    }

    /// Universal time.
    public static let utc = ZoneOffsets(name: "UTC", spans: [])

    /// Seconds since 1970 as the clock on the wall counts them.
    public func localSeconds(_ time: Timestamp) -> Int64 {
        let span = spans.last { $0.from <= time } ?? spans.first
        return time.nanoseconds.floored(by: 1_000_000_000) + Int64(span?.seconds ?? 0)
    }
}
