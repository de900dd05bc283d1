extension GateioSession {
    /// The last update that a book contains: what a simulator needs to write the venue's own image of it.
    package func lastUpdateID(of instrument: InstrumentIndex) -> Int64 { depths[instrument.offset].lastID }
}
