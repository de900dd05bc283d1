import AlertStore
import Instruments
import Shapes
import Store

/// A firing of a rule of one's own.
struct FiringBody: WireBody, Sendable, Hashable {
    static let shape = BodyShape<FiringBody>("StreamFiring") {
        Field("epoch", \.epoch)
        Field("id", \.id)
        Field(ifPresent: "instrument", \.instrument)
        Field("kind", \.kind)
        Field(ifPresent: "level", \.level)
        Field(ifPresent: "previous", \.previous)
        Field(ifPresent: "price", \.price)
        Field("reason", \.reason)
        Field("rule", \.rule)
        Field("time", \.time, as: .time)
        Field("venue_time", \.venueTime, as: .time)
    }

    /// Of the rule and the firing.
    var id: String
    var rule: String
    var epoch: Int64
    var kind: String
    var instrument: String?
    /// Why, one sentence.
    var reason: String
    var price: String?
    var previous: String?
    var level: String?
    /// When it happened by the venue.
    var venueTime: String
    /// When it was stored.
    var time: String
}

extension FiringBody {
    /// Tells a stored one.
    init(_ firing: DeliveredFiring) {
        id = "\(firing.rule)-\(firing.epoch)"
        rule = firing.rule.description
        epoch = firing.epoch
        kind = firing.kind
        instrument = firing.instrument?.description
        reason = firing.reason
        (price, previous, level) = (firing.price, firing.previous, firing.level)
        venueTime = firing.venueTime.iso8601
        time = firing.fired.iso8601
    }
}
