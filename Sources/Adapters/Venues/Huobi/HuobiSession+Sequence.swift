extension HuobiSession {
    /// The number of the last change that a book contains: what a simulator needs to write the venue's own
    /// image of it.
    package func lastSequence(of instrument: InstrumentIndex) -> Int64 { depths[instrument.offset].sequence }
}
