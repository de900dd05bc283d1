import Instruments
import Venues

extension VenueFeed {
    /// Follows something else from now on, on the connections that are open: what stays is not disturbed.
    ///
    /// - Parameters:
    ///   - configuration: What to follow; nothing else of it may differ.
    ///   - marks: Up to where the tapes of instruments are stored; `nil` when that is not known yet.
    func follow(_ configuration: VenueConfiguration, after marks: [InstrumentID: TradeMark]?) {
        let old = tradeSymbols
        parts.configuration = configuration
        let known = configuration.subscriptions.compactMap { session.registry.find($0.symbol) }
        composer.revive(known, session.registry)
        session.follow(configuration.subscriptions, at: parts.clock(), into: &output)
        absorb()
        backfill.grow(to: session.registry.count)
        for symbol in tradeSymbols.subtracting(old) {
            guard let index = session.registry.find(symbol) else { continue }
            // Followed before in this life: its tape ends where it was left, by whichever part.
            backfill.followed(elsewhere: marks?[session.registry[index]], index)
            backfill.reconnected(index)
            guard let marks else { continue }
            backfill.learn(stored: marks[session.registry[index]], of: index)
            backfill.release(index, into: &queued)
        }
        askForTrades()
        flush()
    }

    /// Lets go of instruments that another part follows from now on: nothing more is said of them here.
    ///
    /// - Parameter symbols: What this one does not follow any more.
    /// - Returns: Up to where their tapes are whole.
    func release(_ symbols: [String]) -> [InstrumentID: TradeMark] {
        flush()
        let indices = symbols.compactMap { session.registry.find($0) }
        composer.retire(indices)
        let marks = wholeTapes()
        return Dictionary(
            indices.compactMap { index in marks[session.registry[index]].map { (session.registry[index], $0) }
            },
            uniquingKeysWith: { first, _ in first })
    }

    private var tradeSymbols: Set<String> {
        Set(parts.configuration.subscriptions.filter { $0.channels.contains(.trade) }.map(\.symbol))
    }
}
