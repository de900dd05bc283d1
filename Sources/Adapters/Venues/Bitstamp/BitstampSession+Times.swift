package import Instruments

extension BitstampSession {
    /// The time of a book: what a simulator needs to write the venue's own image of it.
    package func time(of instrument: InstrumentIndex) -> Timestamp { diffs[instrument.offset].last }
}
