import Instruments

extension AlertEngine {
    /// Remembers when a rule ends.
    mutating func awaitExpiry(_ rule: RuleID, _ expires: Timestamp, _ source: AlertSource?, _ market: Int?) {
        guard let source, let market, markets.indices.contains(market) else {
            expiries.trim(table)
            return expiries.add(rule, expires: expires)
        }
        markets[market].expiries[source.place].trim(table)
        markets[market].expiries[source.place].add(rule, expires: expires)
    }

    /// Ends rules of an instrument whose time is over by the venue's clock.
    ///
    /// Those of a source that cannot be believed wait: what is missed may have happened before.
    mutating func expireDue(_ market: Int, at tick: Tick, into output: inout [AlertOutput]) {
        for source in AlertSource.allCases where markets[market].feeds[source.place].isProven {
            let due = markets[market].expiries[source.place].takeDue(at: tick.time)
            expire(due, tick, into: &output)
        }
    }

    /// Ends rules that look at no source and whose time is over by our clock.
    mutating func expireDue(at tick: Tick, into output: inout [AlertOutput]) {
        expire(expiries.takeDue(at: tick.time), tick, into: &output)
    }

    private mutating func expire(_ due: [RuleID], _ tick: Tick, into output: inout [AlertOutput]) {
        for rule in due {
            guard let slot = table.slot(of: rule), !table[slot].flags.contains(.done) else { continue }
            let options = table.options(of: slot)
            // A rule that was replaced may end later: then its own entry says when.
            guard let expires = options.expires, ExpiryQueue.end(expires) <= tick.time else { continue }
            _ = expire(slot, options, tick, into: &output)
        }
    }
}
