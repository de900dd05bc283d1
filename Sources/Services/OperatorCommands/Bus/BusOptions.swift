import ArgumentParser
import Bus
import Instruments
import Operations
import Venues

/// Where the bus is.
struct BusOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The bus's publish address; the next two ports follow. Else BITPAL_BUS or 127.0.0.1:7411.",
            valueName: "address"))
    var bus: String?

    /// The addresses by option, environment or default.
    func addresses() throws -> BusAddresses {
        let settings = try Settings.ofCommand(overrides: bus.map { ["bus": $0] } ?? [:])
        return try BusAddresses(base: settings[SharedSettings.bus])
    }
}

/// An instrument as two words.
struct InstrumentArguments: ParsableArguments {
    @Argument(help: "One of \(VenueNames.list).")
    var venue: String

    @Argument(help: "In the venue's own spelling, such as XBTUSD or BTC/USD.")
    var symbol: String

    var id: InstrumentID { InstrumentID(venue: Venue(rawValue: venue), symbol: symbol) }

    func validate() throws {
        try VenueNames.check(venue)
        guard !symbol.isEmpty else { throw ValidationError("the symbol is empty") }
    }
}

/// The venues that Bitpal speaks to, as a person types them.
enum VenueNames {
    static let list = VenueCatalogue.standard.list

    /// What is known of a venue.
    ///
    /// - Throws: A usage error that names the known ones.
    @discardableResult
    static func check(_ name: String) throws -> VenueDescription {
        do throws(UnknownVenue) {
            return try VenueCatalogue.standard.description(of: Venue(rawValue: name))
        } catch {
            throw ValidationError(error.description)
        }
    }
}
