extension BitgetSession: SentBookKeeper {
    package func sentBook(of instrument: InstrumentIndex) -> SentBook {
        books.sentBook(core.trackers[instrument.offset].book, of: instrument)
    }
}
