extension PoloniexSession {
    /// The number of the last message that a book contains: what a simulator needs to write the venue's own
    /// image of it.
    package func lastID(of instrument: InstrumentIndex) -> Int64 { sequences[instrument.offset].last }
}
