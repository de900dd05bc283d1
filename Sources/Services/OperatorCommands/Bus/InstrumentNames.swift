import Instruments
import MarketStore
import Wire

/// Finds what somebody meant who typed a symbol that nobody has.
enum InstrumentNames {
    /// The line for a symbol that is not there.
    static func notFound(_ id: InstrumentID, known: [InstrumentID]) -> CommandFailure {
        let symbols = Set(known.filter { $0.venue == id.venue }.map(\.symbol))
        let near = NearestNames.symbols(to: id.symbol, among: symbols)
        let hint: String
        if !near.isEmpty {
            hint = "did you mean \(near.joined(separator: ", "))?"
        } else if symbols.isEmpty {
            hint =
                "nothing of \(id.venue) is on the bus; `bitpal feed add \(id.venue) \(id.symbol)` asks for it"
        } else {
            let some = symbols.sorted().prefix(8).joined(separator: ", ")
            hint = "on the bus are \(some)\(symbols.count > 8 ? " and \(symbols.count - 8) more" : "")"
        }
        return CommandFailure(.notFound, "\(id) is not on the bus; \(hint)")
    }
}

extension BusClient {
    /// Every instrument that the broker retains something of.
    ///
    /// - Throws: ``CommandFailure`` when the broker does not answer.
    func instruments(of venue: Venue) async throws -> [InstrumentID] {
        let name = Topic.escape(venue.rawValue)
        let state = try await state(["book.top.\(name).", "ticker.\(name)."])
        return Set(state.events.compactMap { Topic.instrument(in: $0.topic) }).sorted()
    }
}
