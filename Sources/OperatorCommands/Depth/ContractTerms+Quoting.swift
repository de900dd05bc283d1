import Instruments
import MarketState

extension ContractTerms {
    /// The terms of an instrument in its quote asset.
    ///
    /// BitMEX says of an inverse contract what it is in the coin of settlement, below zero: it is worth one
    /// unit of the quote asset.
    init(quoting instrument: Instrument) {
        let multiplier = instrument.contractMultiplier
        let isOne = instrument.isInverse && (multiplier?.units ?? 0) <= 0
        self.init(isInverse: instrument.isInverse, multiplier: isOne ? nil : multiplier)
    }
}
