package import Instruments

extension BitgetSession: SentBookKeeper {
    package func sentBook(of instrument: InstrumentIndex) -> SentBook {
        books.sent(core.trackers[instrument.offset].book, of: instrument)
    }
}
