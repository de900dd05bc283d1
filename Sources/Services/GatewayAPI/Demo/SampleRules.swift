import AlertStore
import Alerting
import GatewayFrame
import Instruments

/// Rules that have something to say within minutes of a market that is alive.
enum SampleRules {
    /// The rules under names of their own.
    ///
    /// - Throws: Nothing in truth: the forms are ours.
    static func read(_ price: DecimalNumber, at now: Timestamp) throws(Problem) -> [AlertRule] {
        var random = SystemRandomNumberGenerator()
        var rules: [AlertRule] = []
        for text in texts(price) {
            rules.append(try NewRule.rule(Array(text.utf8), AlertRule.newID(at: now, using: &random)))
        }
        return rules
    }

    private static func texts(_ price: DecimalNumber) -> [String] {
        let (bitcoin, ether) = (SampleMarket.watched[0], SampleMarket.watched[1])
        let near = (Amount(price) * Amount(units: 10_008, places: 4)).rounded(places: price.scale.places)
        return [
            rule(
                bitcoin, #"{"change":{"price":"last","percent":"0.1","within":"5m"}}"#, "15m",
                "Bitcoin moves by a thousandth within five minutes"),
            rule(
                ether, #"{"change":{"price":"last","percent":"0.2","within":"10m"}}"#, "30m",
                "Ether moves by two thousandths within ten minutes"),
            rule(
                bitcoin, #"{"price":"last","crosses":"above","level":"\#(near)"}"#, "1h",
                "Bitcoin is worth a little more than it was"),
            rule(
                bitcoin, #"{"trade":{"larger_than":"0.2"}}"#, "30m",
                "Somebody trades a lot of Bitcoin at once"),
        ]
    }

    private static func rule(
        _ instrument: InstrumentID, _ condition: String, _ pause: String, _ note: String
    ) -> String {
        #"{"instrument":"\#(instrument)","condition":\#(condition),"repeat":{"cooldown":"\#(pause)"},"#
            + #""note":"\#(note)","tags":["sample"]}"#
    }
}
