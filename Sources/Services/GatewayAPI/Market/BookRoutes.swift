import Hummingbird
import Instruments
import MarketData
import MarketState

/// Books: their levels with analytics, and what a trade would take.
struct BookRoutes: Sendable {
    let services: GatewayServices

    func add(to routes: RouteTable) {
        let memo = AnswerMemo(clock: services.clock)
        routes.get("/v1/books/{instrument}", .market, weight: 2, query: ["depth", "within", "group"]) {
            request, context in
            try await memo.answer(request) { try await levels(context) }
        }
        routes.get("/v1/books/{instrument}/cost", .market, weight: 2, query: ["side", "quantity", "amount"]) {
            _, context in
            try await cost(context)
        }
    }

    private func levels(_ context: GatewayContext) async throws -> Response {
        let question = try BookQuestion(context.query)
        let id = try context.instrument()
        let known = try await book(id)
        let (bids, asks) = try question.levels(of: known.replica.book)
        let terms = ContractTerms(try await services.instrument(id))
        return .json(
            BookAnswer(
                book: BookBody(known, of: id, bids: bids, asks: asks),
                analytics: BookAnalyticsBody(known.replica.book, terms)),
            freshness: .seconds(1))
    }

    private func book(_ id: InstrumentID) async throws -> KnownBook {
        switch await services.market.book(id) {
        case .book(let known): return known
        case .busy:
            var problem = Problem(.unavailable, "too many other books are followed right now")
            problem.retryAfter = 5
            throw problem
        case .unknown:
            _ = try await services.instrument(id)
            var problem = Problem(.unavailable, "nobody on the bus speaks of the book of \(id)")
            problem.retryAfter = 5
            throw problem
        }
    }

    private enum Way: String, CaseIterable { case buy, sell }

    private func cost(_ context: GatewayContext) async throws -> Response {
        let id = try context.instrument()
        guard let way = try context.query.choice("side", Way.self) else {
            throw Problem.invalid("side", nil, accepted: "buy or sell")
        }
        let quantity = try Self.number("quantity", context.query)
        let amount = try Self.number("amount", context.query)
        guard (quantity == nil) != (amount == nil) else {
            throw Problem.invalid(
                "quantity", quantity?.description, accepted: "either quantity or amount, one of them")
        }
        let terms = ContractTerms(try await services.instrument(id))
        let book = try await book(id).replica.book
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
        return .json(CostBody(fill, book, id, way == .buy ? .buy : .sell), freshness: .seconds(1))
    }

    private static func number(_ name: String, _ query: Query) throws(Problem) -> DecimalNumber? {
        guard let text = try query.text(name) else { return nil }
        guard let number = try? DecimalNumber(parsing: text), number.units > 0 else {
            throw .invalid(name, text, accepted: "a decimal above 0, such as 1.5")
        }
        return number
    }
}
