import Instruments
import MarketStore
import Store

extension StoreError {
    /// The instruments that must be written before their trades, if that is what is missing.
    var unknownInstruments: [InstrumentID] {
        var cause = bodyError
        if cause == nil, case .transaction(let failure) = self { cause = failure.body }
        while case .body(let inner)? = cause as? StoreError { cause = inner }
        if case .unknownInstruments(let ids)? = cause as? MarketStoreError { return ids }
        return []
    }

    /// Whether the rows themselves are refused, so that no repetition of all of them can help.
    ///
    /// Source: PostgreSQL 15 documentation, appendix A: class 22 is data exceptions, 23 integrity violations.
    var isPoison: Bool {
        if let state = sqlState { return state.hasPrefix("22") || state.hasPrefix("23") }
        var cause: (any Error)? = self
        while true {
            switch cause as? StoreError {
            case .parameter: return true
            case .transaction(let failure): cause = failure.body
            case .body(let inner): cause = inner
            default: return cause is MarketStoreError
            }
        }
    }
}
