import GatewayFrame
import Instruments
import MarketData
import MarketState
import Shapes

/// Which levels of a book somebody wants.
struct BookQuery: Hashable, Sendable {
    /// Levels a side, 1...1000.
    var depth: Int
    /// Only levels so near to the middle price, in basis points, 1...10000.
    var within: Int?
    /// The step of a coarser grid.
    var group: DecimalNumber?

    private static let depth = Parameter.integer(
        "depth", "Levels of each side.", in: 1...1_000, default: 25)
    private static let within = Parameter<Int?>(
        "within", "Only levels so near to the middle price.", .text(), example: "5%"
    ) { (query) throws(Problem) in
        guard let text = try query.text("within") else { return nil }
        return try basisPoints(text)
    }
    private static let group = Parameter.positive(
        "group", "The step of a coarser grid of prices.", accepted: "a step of prices above 0, such as 0.5",
        example: "0.5")
    /// What it is read of.
    static let parameters: [any QueryParameter] = [depth, within, group]

    /// Reads `?depth=25&within=5%&group=0.5`.
    ///
    /// - Throws: `invalid-field`.
    init(_ query: RequestQuery) throws(Problem) {
        (depth, within, group) = (
            try query[Self.depth], try query[Self.within], try query[Self.group]
        )
    }

    private static func basisPoints(_ text: String) throws(Problem) -> Int {
        let digits = text.hasSuffix("%") ? String(text.dropLast()) : text
        guard let percent = try? DecimalNumber(parsing: digits),
            let whole = try? percent.rescaled(to: Scale(2) ?? .zero), (1...10_000).contains(whole.units)
        else { throw .invalid("within", text, accepted: "a percentage, 0.01% to 100%") }
        return Int(whole.units)
    }

    /// The levels of both sides, best first.
    ///
    /// - Throws: `invalid-field` for a step that does not fit the book's prices.
    func levels(of book: Book) throws(Problem) -> (bids: [BookLevel], asks: [BookLevel]) {
        var (bids, asks) = try (side(book.bids, .bid, book), side(book.asks, .ask, book))
        guard let within, let bid = book.bestBid, let ask = book.bestAsk else { return (bids, asks) }
        // Twice the middle, so that nothing is cut.
        let middle = Int128(bid.price.rawValue) + Int128(ask.price.rawValue)
        let (low, high) = (middle * Int128(10_000 - within), middle * Int128(10_000 + within))
        bids.removeAll { Int128($0.price.rawValue) * 20_000 < low }
        asks.removeAll { Int128($0.price.rawValue) * 20_000 > high }
        return (bids, asks)
    }

    private func side(
        _ ladder: BookLadder, _ side: BookSide, _ book: Book
    ) throws(Problem) -> [BookLevel] {
        guard let group else { return ladder.top(depth) }
        guard let step = try? group.rescaled(to: book.priceScale), step.units > 0 else {
            throw .invalid(
                "group", group.description,
                accepted: "a step with at most \(book.priceScale.places) decimal places")
        }
        var groups: [GroupedLevel] = []
        Depth.group(ladder, side, tick: step.units, best: depth, into: &groups)
        return groups.map { BookLevel(price: $0.price, size: Quantity(Int64(clamping: $0.size))) }
    }
}

extension Parameter<DecimalNumber?> {
    /// A decimal above 0; `nil` when it is missing.
    static func positive(
        _ name: String, _ text: String, accepted: String, example: DocumentNode? = nil
    ) -> Parameter {
        Parameter(name, text, .decimal, example: example) { (query) throws(Problem) in
            guard let text = try query.text(name) else { return nil }
            guard let number = try? DecimalNumber(parsing: text), number.units > 0 else {
                throw .invalid(name, text, accepted: accepted)
            }
            return number
        }
    }
}
