extension DeribitSession {
    /// The last change that a book contains: what a simulator needs to write the venue's own image of it.
    package func changeID(of instrument: InstrumentIndex) -> Int64 { extras[instrument.offset].changeID }
}
