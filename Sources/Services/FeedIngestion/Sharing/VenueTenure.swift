import Bus

/// The time in which this process holds a venue: everything that follows the venue belongs to it.
///
/// It speaks with a voice of its own, a new life of the venue's one producer: whatever the holder before may
/// still have on its way is of a past life for everybody who listens, and the books begin anew.
struct VenueTenure: Sendable {
    /// Of the lease; 0 where nobody shares.
    let epoch: Int64
    let voice: PublisherVoice
    let desk: VenueDesk
    /// What prices all markets of the venue; `nil` where it does not tell of them.
    let tickers: TickerFeed?
}
