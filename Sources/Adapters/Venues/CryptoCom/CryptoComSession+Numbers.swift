extension CryptoComSession {
    /// What a simulator needs besides the book to write the venue's own image of it.
    ///
    /// - Parameter instrument: Whose book.
    /// - Returns: The levels a side, 0 until the venue said, and `u` of the last message that had one.
    package func numbers(of instrument: InstrumentIndex) -> (depth: Int, sequence: Int64?) {
        (depths[instrument.offset].depth, depths[instrument.offset].sequence)
    }
}
