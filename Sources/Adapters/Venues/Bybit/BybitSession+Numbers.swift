extension BybitSession {
    /// What a simulator needs besides the book to write the venue's own image of it.
    ///
    /// - Parameter instrument: Whose book.
    /// - Returns: The levels a side of its stream, and `u` of the last message, in V2 `cross_seq`.
    package func numbers(of instrument: InstrumentIndex) -> (depth: Int, updateID: Int64) {
        (extras[instrument.offset].stream.depth, extras[instrument.offset].updateID)
    }
}
