import Instruments
import Recordings
import Testing
import Venues

@testable import VenueSimulation

@Suite("The catalogue of dialects")
struct DialectCatalogueTests {
    @Test("has each venue once, and none that the catalogue of venues does not have")
    func venues() {
        let venues = DialectCatalogue.all.map(\.venue)
        #expect(Set(venues).count == venues.count)
        #expect(Set(venues).isSubset(of: VenueCatalogue.standard.venues))
    }

    @Test("lends no venue's dialect to another that nothing describes")
    func unknown() {
        let header = RecordingHeader(
            venue: Venue(rawValue: "mtgox"), started: .zero, source: "test", licence: "none")
        let entries = [Tape.message(100, BitMEXPlaybackFixture.partial)]
        #expect(SurveyReader.read(header, entries) == nil)
    }
}
