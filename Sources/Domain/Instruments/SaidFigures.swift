/// Of which venues' derivatives figures are read.
public struct SaidFigures: Hashable, Sendable {
    public var markPrices: Set<Venue>
    public var funding: Set<Venue>
    public var openInterest: Set<Venue>

    public init(markPrices: Set<Venue>, funding: Set<Venue> = [], openInterest: Set<Venue> = []) {
        (self.markPrices, self.funding, self.openInterest) = (markPrices, funding, openInterest)
    }
}
