import Instruments
import Venues

extension BitMEXDialect {
    static let description = DialectDescription(
        description: BitMEX.description, recognize: { _ in BitMEXDialect() },
        synthetic: SyntheticVenue(
            instruments: SyntheticInstrument.bitmex, dialect: BitMEXDialect(), bookDepth: 1_000,
            list: syntheticList,
            // The ids of trades differ from one start to the next, as they do on a venue.
            wording: { seed, started in
                SyntheticBitMEX(seed: seed ^ UInt64(bitPattern: started.nanoseconds))
            }))

    private static let syntheticList = Array(
        """
        [{"symbol":"XBTUSD","rootSymbol":"XBT","state":"Open","typ":"FFWCSX","underlying":"XBT",\
        "quoteCurrency":"USD","settlCurrency":"XBt","tickSize":0.5,"lotSize":100,"multiplier":-100000000,"isInverse":true},\
        {"symbol":"ETHUSD","rootSymbol":"ETH","state":"Open","typ":"FFWCSX","underlying":"ETH",\
        "quoteCurrency":"USD","settlCurrency":"XBt","tickSize":0.05,"lotSize":1,"multiplier":100,"isInverse":false}]
        """.utf8)
}
