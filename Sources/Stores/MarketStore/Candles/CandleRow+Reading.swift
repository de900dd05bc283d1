import Instruments
package import MarketState
import Store

extension CandleRow {
    /// Its interval is over and no trade of it is known to be missing.
    package var isComplete: Bool { flags.contains(.closed) && !flags.contains(.incomplete) }

    /// Σ size, without trailing zeros.
    package var volumeText: String { volume.description }

    /// Value in the quote asset, without trailing zeros; `nil` where the venue does not say.
    ///
    /// Linear: Σ price × size × multiplier. Inverse: Σ size × multiplier.
    package func quoteVolume(_ terms: ContractTerms) -> String? {
        guard terms.multiplier.units > 0 else { return nil }
        let sum = terms.isInverse ? volume : notional
        return sum.map { ($0 * Amount(terms.multiplier)).description }
    }
}
