/// Direction of a trade's taker.
public enum Side: UInt8, Sendable, Hashable, CaseIterable {
    /// The taker bought.
    case buy = 1
    /// The taker sold.
    case sell = 2

    /// `buy` or `sell`.
    public var name: String { self == .buy ? "buy" : "sell" }
}

/// One of the two sides of a book.
public enum BookSide: UInt8, Sendable, Hashable, CaseIterable {
    /// Offers to buy; the best is the highest.
    case bid
    /// Offers to sell; the best is the lowest.
    case ask
}
