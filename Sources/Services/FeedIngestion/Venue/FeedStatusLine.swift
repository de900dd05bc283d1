import Instruments
import Logging
import Venues
import Wire

/// What one part of a feed keeps to tell about itself.
struct FeedStatusLine {
    var detail = ""
    var reconnects: UInt64 = 0
    /// When which book is compared with the venue's.
    var agenda = AuditAgenda()
    /// What was found last of each book.
    var audits: [InstrumentID: Bitpal_V1_BookAudit] = [:]
    /// Since when each book, by index, has not been live; `nil` for a live one.
    var notLiveSince: [Timestamp?] = []
    private var lastMalformedLog: Timestamp?
    private var lastUnusableLog: Timestamp?

    /// Logs the kind and size of a message that made no sense, at most once in ten seconds.
    mutating func malformed(_ message: (kind: StaticString, bytes: Int), _ logger: Logger, at now: Timestamp)
    {
        if let last = lastMalformedLog, now.nanoseconds(since: last) < 10_000_000_000 { return }
        lastMalformedLog = now
        logger.warning(
            "A message could not be read", metadata: ["kind": "\(message.kind)", "bytes": "\(message.bytes)"])
    }

    /// Logs a trade that was left out, at most once in ten seconds.
    mutating func unusable(
        _ trade: UnusableTrade, of instrument: InstrumentID, _ logger: Logger, at now: Timestamp
    ) {
        if let last = lastUnusableLog, now.nanoseconds(since: last) < 10_000_000_000 { return }
        lastUnusableLog = now
        logger.warning(
            "A trade without a price or a size above zero was left out",
            metadata: [
                "instrument": "\(instrument)", "trade": "\(trade.id)", "price": "\(trade.price)",
                "size": "\(trade.size)",
            ])
    }
}
