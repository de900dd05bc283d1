package import Instruments

extension VenueSurvey {
    /// The venues of the synthetic market, which is what is played where there is no recording.
    package static let syntheticVenues: [Venue] = DialectCatalogue.all.filter { $0.synthetic != nil }
        .map(\.venue)

    /// What the synthetic market offers when it begins at this time.
    package static func synthetic(seed: UInt64, started: Timestamp) -> [VenueSurvey] {
        syntheticVenues.map {
            VenueSurvey(SyntheticMarket.script(venue: $0, seed: seed, started: started))
        }
    }
}
