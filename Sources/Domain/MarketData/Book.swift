public import Instruments

/// A conversion or a change that the book's numbers cannot hold.
public enum BookError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A level would not fit 63 bits at the new scale.
    case scaleOverflow(price: Scale, size: Scale)

    /// One line for a person.
    public var description: String {
        switch self {
        case .scaleOverflow(let price, let size):
            "a level does not fit at price scale \(price.places) and size scale \(size.places)"
        }
    }
}

/// The bids and asks of one instrument, exact, without any idea of where they came from.
public struct Book: Sendable, Equatable {
    /// Decimal places of all prices.
    public private(set) var priceScale: Scale
    /// Decimal places of all sizes.
    public private(set) var sizeScale: Scale
    @usableFromInline var bidLadder = BookLadder(side: .bid)
    @usableFromInline var askLadder = BookLadder(side: .ask)

    public init(priceScale: Scale, sizeScale: Scale) {
        self.priceScale = priceScale
        self.sizeScale = sizeScale
    }

    /// Offers to buy, best (highest) first by rank.
    @inlinable public var bids: BookLadder { bidLadder }

    /// Offers to sell, best (lowest) first by rank.
    @inlinable public var asks: BookLadder { askLadder }

    /// The highest bid.
    @inlinable public var bestBid: BookLevel? { bidLadder.best }

    /// The lowest ask.
    @inlinable public var bestAsk: BookLevel? { askLadder.best }

    /// Levels on the bid side.
    @inlinable public var bidCount: Int { bidLadder.count }

    /// Levels on the ask side.
    @inlinable public var askCount: Int { askLadder.count }

    /// Whether the best bid is at or above the best ask, which no venue trades through.
    @inlinable public var isCrossed: Bool {
        guard let bid = bidLadder.best, let ask = askLadder.best else { return false }
        return bid.price >= ask.price
    }

    /// Sets or removes one level; returns whether the level was there before.
    @inlinable
    @discardableResult
    public mutating func apply(_ change: BookLevelChange) -> Bool {
        switch change.side {
        case .bid: bidLadder.set(change.price, change.size)
        case .ask: askLadder.set(change.price, change.size)
        }
    }

    /// Sets or removes one level; returns whether the level was there before.
    @inlinable
    @discardableResult
    public mutating func set(_ side: BookSide, _ price: Price, _ size: Quantity) -> Bool {
        side == .bid ? bidLadder.set(price, size) : askLadder.set(price, size)
    }

    /// Sets or removes levels in their order.
    public mutating func apply(_ changes: Span<BookLevelChange>) {
        bidLadder.makeUnique()
        askLadder.makeUnique()
        for position in changes.indices {
            let change = changes[position]
            if change.side == .bid {
                _ = bidLadder.setUnique(change.price, change.size)
            } else {
                _ = askLadder.setUnique(change.price, change.size)
            }
        }
    }

    /// Replaces both sides; levels may come in any order.
    public mutating func replace(bids newBids: [BookLevel], asks newAsks: [BookLevel]) {
        bidLadder.replace(with: newBids)
        askLadder.replace(with: newAsks)
    }

    /// The best `depth` levels of each side, best first.
    public func top(_ depth: Int) -> (bids: [BookLevel], asks: [BookLevel]) {
        (bidLadder.top(depth), askLadder.top(depth))
    }

    /// Drops what is deeper than `depth` levels on each side.
    @inlinable
    public mutating func truncate(to depth: Int) {
        bidLadder.truncate(to: depth)
        askLadder.truncate(to: depth)
    }

    /// Drops every level and keeps the scales.
    public mutating func clear() {
        bidLadder.removeAll()
        askLadder.removeAll()
    }

    /// Carries all levels over to finer scales; a coarser one is ignored, since it could lose digits.
    ///
    /// - Throws: ``BookError/scaleOverflow(price:size:)`` and leaves the book as it was.
    public mutating func refine(price: Scale, size: Scale) throws(BookError) {
        let newPrice = max(price, priceScale)
        let newSize = max(size, sizeScale)
        guard newPrice != priceScale || newSize != sizeScale else { return }
        let priceFactor = newPrice.power / priceScale.power
        let sizeFactor = newSize.power / sizeScale.power
        var newBids = bidLadder
        var newAsks = askLadder
        guard newBids.multiply(prices: priceFactor, sizes: sizeFactor),
            newAsks.multiply(prices: priceFactor, sizes: sizeFactor)
        else { throw .scaleOverflow(price: newPrice, size: newSize) }
        bidLadder = newBids
        askLadder = newAsks
        priceScale = newPrice
        sizeScale = newSize
    }
}
