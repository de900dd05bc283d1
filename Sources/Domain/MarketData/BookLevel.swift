public import Instruments

/// One price of a book with its quantity.
public struct BookLevel: Hashable, Sendable {
    /// At the book's price scale.
    public var price: Price
    /// At the book's size scale; never zero in a book.
    public var size: Quantity

    /// Joins a price and a size.
    @inlinable
    public init(price: Price, size: Quantity) {
        self.price = price
        self.size = size
    }
}

/// The new size of one price; size 0 removes the level.
public struct BookLevelChange: Hashable, Sendable {
    public var side: BookSide
    /// At the book's price scale.
    public var price: Price
    /// At the book's size scale, absolute; 0 removes.
    public var size: Quantity

    /// Joins a side, a price and a size.
    @inlinable
    public init(side: BookSide, price: Price, size: Quantity) {
        self.side = side
        self.price = price
        self.size = size
    }
}
