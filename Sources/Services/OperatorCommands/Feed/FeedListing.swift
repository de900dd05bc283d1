import Instruments
import MarketStore

/// What a venue lists, as far as that is known: its feed learns it when it connects.
enum FeedListing {
    /// Why an instrument cannot be followed; `nil` where it is listed, and as long as nothing is known of the
    /// venue.
    static func fault(of id: InstrumentID, listed: [String]) -> CommandFailure? {
        guard !listed.isEmpty, !listed.contains(id.symbol) else { return nil }
        let near = NearestNames.symbols(to: id.symbol, among: listed)
        let hint =
            near.isEmpty
            ? "`bitpal search \(id.symbol)` looks everywhere"
            : "did you mean \(near.joined(separator: ", "))?"
        return CommandFailure(.notFound, "\(id.venue) does not list \(id.symbol); \(hint)")
    }
}
