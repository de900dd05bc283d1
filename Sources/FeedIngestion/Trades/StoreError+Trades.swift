import Instruments
import MarketStore
import Store

extension StoreError {
    /// The instrument that must be written before its trades, if that is what is missing.
    var unknownInstrument: InstrumentID? {
        var cause = bodyError
        if cause == nil, case .transaction(let failure) = self { cause = failure.body }
        while case .body(let inner)? = cause as? StoreError { cause = inner }
        if case .unknownInstrument(let id)? = cause as? MarketStoreError { return id }
        return nil
    }

    /// Whether the rows themselves are refused, so that no repetition can help.
    ///
    /// Source: PostgreSQL 15 documentation, appendix A: class 22 is data exceptions, 23 integrity violations.
    var isPoison: Bool {
        if let state = sqlState { return state.hasPrefix("22") || state.hasPrefix("23") }
        switch self {
        case .parameter: return true
        case .transaction(let failure):
            if case .parameter? = failure.body as? StoreError { return true }
            return false
        default: return unknownInstrument != nil
        }
    }
}
