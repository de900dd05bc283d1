import GatewayFrame
import GatewayStream
import Hummingbird
import Instruments
import MarketData
import MarketState
import Shapes

/// Books: their levels with analytics, and what a trade would take.
struct BookRoutes: Sendable {
    let services: GatewayServices

    func add(to routes: RouteTable) {
        let memo = AnswerCache(clock: services.monotonic)
        routes.get(
            "/v1/books/{instrument}", .market,
            Operation("getBook", .market, "A book with totals and how far it may be believed."), weight: 2,
            query: BookQuery.parameters, keptBy: memo
        ) { context in try await levels(context) }
        routes.get(
            "/v1/books/{instrument}/cost", .market,
            Operation("getBookCost", .market, "What trading a quantity or an amount would take."), weight: 2,
            query: [Self.way, Self.quantity, Self.amount]
        ) { context in try await cost(context) }
    }

    private func levels(_ context: GatewayContext) async throws -> OK<BookAnswer> {
        let question = try BookQuery(context.query)
        let id = try context.instrument()
        let terms = ContractTerms(try await services.instrument(id))
        let known = try await book(id, context)
        let (bids, asks) = try question.levels(of: known.replica.book)
        return OK(
            BookAnswer(
                book: BookBody(known, of: id, bids: bids, asks: asks),
                analytics: BookAnalyticsBody(known.replica.book, terms)),
            freshness: .seconds(1))
    }

    /// The book of an instrument that is stored: for a name that somebody made up nothing is followed.
    private func book(_ id: InstrumentID, _ context: GatewayContext) async throws -> KnownBook {
        try services.books.take(id, for: context.identity, from: context.client)
        switch await services.market.book(id) {
        case .book(let known): return known
        case .busy:
            var problem = Problem(.unavailable, "too many other books are followed right now")
            problem.retryAfter = 5
            throw problem
        case .unknown:
            var problem = Problem(.unavailable, "nobody on the bus speaks of the book of \(id)")
            problem.retryAfter = 5
            throw problem
        }
    }

    private enum Way: String, CaseIterable { case buy, sell }

    private static let way = Parameter<Way>(
        ParameterDocument(
            name: "side", text: "What is done.", schema: .words(Way.allCases.map(\.rawValue)),
            isRequired: true)
    ) { (query) throws(Problem) in
        guard let way = try query.choice("side", Way.self) else {
            throw .invalid("side", nil, accepted: "buy or sell")
        }
        return way
    }
    private static let quantity = Parameter.positive(
        "quantity", "In units of size; this or amount.", accepted: "a decimal above 0, such as 1.5",
        example: "1.5")
    private static let amount = Parameter.positive(
        "amount", "In the quote asset; this or quantity.", accepted: "a decimal above 0, such as 1.5")

    private func cost(_ context: GatewayContext) async throws -> OK<CostBody> {
        let id = try context.instrument()
        let way = try context.query[Self.way]
        let quantity = try context.query[Self.quantity]
        let amount = try context.query[Self.amount]
        guard (quantity == nil) != (amount == nil) else {
            throw Problem.invalid(
                "quantity", quantity?.description, accepted: "either quantity or amount, one of them")
        }
        let terms = ContractTerms(try await services.instrument(id))
        let book = try await book(id, context).replica.book
        // A buy is against the asks.
        let side: BookSide = way == .buy ? .ask : .bid
        let fill: DepthFill?
        if let quantity {
            guard let units = try? quantity.rescaled(to: book.sizeScale).units else {
                throw Problem.invalid(
                    "quantity", quantity.description,
                    accepted: "at most \(book.sizeScale.places) decimal places")
            }
            fill = Depth.fill(book, side, quantity: Quantity(units), isInverse: terms.isInverse)
        } else {
            fill = amount.flatMap { Depth.fill(book, side, amount: $0, terms) }
        }
        guard let fill else {
            var problem = Problem(.unavailable, "the book of \(id) has nothing on that side right now")
            problem.retryAfter = 5
            throw problem
        }
        return OK(CostBody(fill, book, id, way == .buy ? .buy : .sell), freshness: .seconds(1))
    }
}
