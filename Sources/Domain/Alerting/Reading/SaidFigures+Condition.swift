import Instruments

extension SaidFigures {
    /// Refuses a condition on a figure that nobody would ever say: a rule on it would wait for good.
    func check(_ condition: AlertCondition, of venue: Venue) throws(FieldFault) {
        if condition.price == .mark, !markPrices.contains(venue) {
            throw FieldFault(
                "condition.price", "\"mark\"",
                accepted: "last, bid, ask, mid, index: no mark price of \(venue) is read")
        }
        guard case .derivative(let measure) = condition.input else { return }
        let venues =
            switch measure {
            case .funding: funding
            case .openInterest: openInterest
            }
        guard !venues.contains(venue) else { return }
        let known = venues.sorted().map(\.rawValue).joined(separator: ", ")
        throw FieldFault("instrument", "one of \(venue)", accepted: "one of a venue that says it: \(known)")
    }
}
