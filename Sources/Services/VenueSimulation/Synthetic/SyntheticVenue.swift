import Instruments

/// What the synthetic market is to know of a venue.
struct SyntheticVenue: Sendable {
    /// What is traded.
    let instruments: [SyntheticInstrument]
    /// In which dialect it is said, with the depth of its books.
    let dialect: any Dialect
    /// Levels a side that a session is to subscribe to.
    let bookDepth: Int
    /// The venue's list of instruments; `nil` for one that the dialect makes of them.
    var list: [UInt8]?
    /// Puts what happens into messages; made of a seed and of when the market begins.
    let wording: @Sendable (_ seed: UInt64, _ started: Timestamp) -> any SyntheticProtocol
}
