import GatewayStream
import Instruments
import MarketStore
import Store

extension GatewayServices {
    /// The names that the bus has spoken of, that venues list, or that somebody configured.
    var names: KnownNames {
        let (market, catalogue, database) = (market, catalogue, database)
        return KnownNames(
            instrument: { id in
                if market.isHeard(id) { return .known }
                if try await catalogue.instrument(id) != nil { return .known }
                if try await database.isWanted(id) { return .known }
                return try await catalogue.absence()
            },
            pair: { pair in
                if market.index(pair) != nil { return .known }
                let parts = pair.split(separator: "-").map { Asset(rawValue: String($0)) }
                guard parts.count == 2 else { return .unknown }
                let listed = try await catalogue.instruments(of: parts[0], parts[1])
                return listed.isEmpty ? try await catalogue.absence() : .known
            },
            venue: { venue in
                if market.isHeard(venue: venue) { return .known }
                let isListed = try await catalogue.current().instruments.contains {
                    $0.id.venue.rawValue == venue
                }
                return isListed ? .known : try await catalogue.absence()
            })
    }
}

extension CatalogueCache {
    /// What it says that a name is not here.
    fileprivate func absence() async throws -> KnownNames.Standing {
        try await current().instruments.isEmpty ? .early : .unknown
    }
}
