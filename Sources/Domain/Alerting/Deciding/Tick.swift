import Instruments

/// What an evaluation needs to know of the event that it is made for.
struct Tick: Sendable {
    var time: Timestamp
    var received: Timestamp
    var sequence: UInt64 = 0
    var tradeID: String?
    /// 0 for in time.
    var lateBy: Int64 = 0
}
