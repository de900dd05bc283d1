import AlertStore
import Instruments
import Store

/// A firing of a rule of one's own.
struct FiringBody: Encodable, Sendable, Hashable {
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

    private enum CodingKeys: String, CodingKey {
        case id, rule, epoch, kind, instrument, reason, price, previous, level
        case venueTime = "venue_time"
        case time
    }
}

extension FiringBody {
    /// Tells a stored one.
    init(_ firing: ToldFiring) {
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
