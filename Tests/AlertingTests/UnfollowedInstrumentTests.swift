import Instruments
import Testing

@testable import Alerting

@Suite("That an instrument is not followed")
struct UnfollowedInstrumentTests {
    @Test("is found in the words of whatever tells it")
    func found() {
        let left = UnfollowedInstrument(venue: Venue(rawValue: "binance-usdm"), limit: 200)
        #expect(
            left.reason
                == "it is not followed: at most 200 instruments of binance-usdm are, and others come first")
        #expect(UnfollowedInstrument(in: left.reason) == left)
        #expect(UnfollowedInstrument(in: "blind since 1970, \(left.reason); so are 2 other rules") == left)
    }

    @Test(
        "is not found in other words",
        arguments: [
            "", "the feed is silent", "it is not followed: at most ",
            "it is not followed: at most many instruments of kraken are, and others come first",
            "it is not followed: at most 2 instruments of kraken",
        ])
    func other(_ text: String) {
        #expect(UnfollowedInstrument(in: text) == nil)
    }
}
