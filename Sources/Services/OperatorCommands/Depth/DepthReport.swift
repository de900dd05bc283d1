import Instruments
import MarketData
import MarketState

/// What is asked about a book's depth.
struct DepthQuery: Sendable {
    /// Levels a side that are listed and that the imbalance is of.
    static let levels = 25
    /// Greatest levels a side that are listed.
    static let largest = 5

    /// Distance from the middle price, in basis points.
    var distance = 500
    /// The step of a coarser grid; `nil` for the book's own levels.
    var tick: DecimalNumber?
    /// What is to be bought and sold, in units of size.
    var quantity: DecimalNumber?
    /// What is to be bought and sold, in the quote asset.
    var amount: DecimalNumber?
    /// What a unit of size is worth; `nil` where nobody says.
    var terms: ContractTerms?
    /// The venue's smallest step of prices; `nil` where nobody says.
    var priceTick: DecimalNumber?
}

/// What a live book's depth says, as texts with the sides of the book apart.
struct DepthReport: Sendable {
    struct Side: Sendable {
        /// Levels, or groups of them, best first: price and size.
        var levels: [(price: String, size: String)] = []
        /// The greatest of all levels, greatest first.
        var largest: [(price: String, size: String)] = []
        /// Within the distance; `nil` without a middle price.
        var near: Sums?
        /// What it takes to trade against this side; `nil` where nothing was asked or the side is empty.
        var fill: Fill?
    }

    /// What levels sum up to.
    struct Sums: Sendable {
        var levels: Int
        var size: String
        var value: String?
    }

    /// What a trade takes.
    struct Fill: Sendable {
        var isComplete: Bool
        var levels: Int
        var quantity: String?
        var averagePrice: String?
        var worstPrice: String
        /// Basis points.
        var slippage: String?
    }

    let view: BookView
    let question: DepthQuery
    var spread: String?
    /// Basis points of the middle price.
    var spreadInBasisPoints: String?
    var spreadInTicks: String?
    var mid: String?
    var microPrice: String?
    /// −1...1, of the best levels.
    var imbalance: String?
    var bids = Side()
    var asks = Side()

    /// - Throws: ``CommandFailure`` when the grid or the quantity does not fit the book's numbers.
    init(_ view: BookView, _ question: DepthQuery) throws {
        self.view = view
        self.question = question
        let book = view.book
        let finer = Scale(min(book.priceScale.places + 4, 18)) ?? .maximum
        spread = Depth.spread(book).map { Self.text(Int256($0), book.priceScale.places) }
        spreadInBasisPoints = Self.text(Depth.spreadInBasisPoints(book), Self.fourPlaces)
        if let tick = question.priceTick {
            spreadInTicks = Self.text(Depth.spreadInTicks(book, tick: tick), Self.fourPlaces)
        }
        mid = Self.text(Depth.mid(book)?.price(at: book.priceScale, roundedTo: finer))
        microPrice = Self.text(Depth.microPrice(book)?.price(at: book.priceScale, roundedTo: finer))
        imbalance = Self.text(Depth.imbalance(book, best: DepthQuery.levels), Self.fourPlaces)
        bids = try side(.bid)
        asks = try side(.ask)
        if let near = Depth.within(book, basisPoints: question.distance) {
            bids.near = sums(near.bids)
            asks.near = sums(near.asks)
        }
    }

    private static let fourPlaces = Scale(4) ?? .zero

    private func side(_ side: BookSide) throws -> Side {
        let book = view.book
        let ladder = side == .bid ? book.bids : book.asks
        var result = Side()
        if let tick = question.tick {
            guard let step = try? tick.rescaled(to: book.priceScale), step.units > 0 else {
                let places = book.priceScale.places
                throw CommandFailure(.usage, "--group is \(tick); prices of this book have \(places) places")
            }
            var groups: [GroupedLevel] = []
            Depth.group(ladder, side, tick: step.units, best: DepthQuery.levels, into: &groups)
            result.levels = groups.map { (text($0.price), size($0.size)) }
        } else {
            result.levels = texts(ladder.top(DepthQuery.levels))
        }
        result.largest = texts(Depth.largest(ladder, count: DepthQuery.largest))
        result.fill = try fill(side)
        return result
    }

    private func fill(_ side: BookSide) throws -> Fill? {
        let book = view.book
        let found: DepthFill?
        if let quantity = question.quantity, let terms = question.terms {
            guard let units = try? quantity.rescaled(to: book.sizeScale).units else {
                let places = book.sizeScale.places
                throw CommandFailure(
                    .usage, "--quantity is \(quantity); sizes of this book have \(places) places")
            }
            found = Depth.fill(book, side, quantity: Quantity(units), isInverse: terms.isInverse)
        } else if let amount = question.amount, let terms = question.terms {
            found = Depth.fill(book, side, amount: amount, terms)
        } else {
            return nil
        }
        guard let found else { return nil }
        let finer = Scale(min(book.priceScale.places + 4, 18)) ?? .maximum
        let sizes = Scale(min(book.sizeScale.places + 4, 18)) ?? .maximum
        return Fill(
            isComplete: found.isComplete, levels: found.levels,
            // A quotient of units of the size scale, as prices are of theirs.
            quantity: Self.text(found.quantity.price(at: book.sizeScale, roundedTo: sizes)),
            averagePrice: Self.text(found.averagePrice.price(at: book.priceScale, roundedTo: finer)),
            worstPrice: text(found.worst), slippage: Self.text(found.slippage, Self.fourPlaces))
    }

    // MARK: - Texts

    private func sums(_ sums: DepthSums) -> Sums {
        let value = question.terms?.value(
            notional: sums.notional, size: sums.size, priceScale: view.book.priceScale,
            sizeScale: view.book.sizeScale)
        return Sums(levels: sums.levels, size: size(sums.size), value: value?.normalized.description)
    }

    private func texts(_ levels: [BookLevel]) -> [(price: String, size: String)] {
        levels.map { (text($0.price), size(Int128($0.size.rawValue))) }
    }

    private func text(_ price: Price) -> String {
        price.decimal(view.book.priceScale).normalized.description
    }

    private func size(_ units: Int128) -> String { Self.text(Int256(units), view.book.sizeScale.places) }

    private static func text(_ units: Int256, _ places: Int) -> String {
        MarketState.WideDecimal(units: units, places: places).normalized.description
    }

    private static func text(_ ratio: ExactRatio?, _ scale: Scale) -> String? {
        text(ratio?.rounded(to: scale))
    }

    private static func text(_ number: DecimalNumber?) -> String? { number?.normalized.description }
}
