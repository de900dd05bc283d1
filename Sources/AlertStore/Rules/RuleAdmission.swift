import AccountStore
import Alerting
import Instruments
import Store

/// What a user's rules are checked against before they are stored.
struct RuleAdmission {
    private let now: Timestamp
    private let instruments: Set<InstrumentID>
    private let channels: [Channel]

    /// Reads what these rules refer to.
    init(
        _ rules: [AlertRule], of user: UserID, at now: Timestamp, in session: borrowing Session
    ) throws(StoreError) {
        self.now = now
        let named = Array(Set(rules.compactMap(\.instrument)))
        instruments = named.isEmpty ? [] : Set(try session.rows(KnownInstruments(ids: named)))
        let isTold = rules.contains { !$0.channels.isEmpty }
        channels = isTold ? try session.rows(ListChannels(of: user)) : []
    }

    /// - Throws: ``RuleRefused`` in a ``StoreError/body(_:)``.
    func check(_ rule: AlertRule, index: Int) throws(StoreError) {
        if let reason = refusal(of: rule) { throw .body(RuleRefused(index: index, reason)) }
    }

    private func refusal(of rule: AlertRule) -> RuleRefused.Reason? {
        if let instrument = rule.instrument, !instruments.contains(instrument) {
            return .unknownInstrument(instrument)
        }
        if let expires = rule.expires, expires <= now {
            return fault("expires", expires.plain, "an instant that is to come, after \(now.plain)")
        }
        if let zone = rule.active?.timeZone, ZoneDirectory.system.offsets(of: zone) == nil {
            return fault(
                "active.time_zone", "\"\(zone.prefix(64))\"",
                "a name of the time zone database such as \"Europe/Berlin\", or \"UTC\"")
        }
        guard rule.json.utf8.count <= 65_536 else {
            return fault("", "longer than 64 KiB", "at most 65536 bytes")
        }
        for name in rule.channels {
            guard let channel = channels.first(where: { $0.name == name }) else {
                return fault("channels", "\"\(name.prefix(64))\"", names)
            }
            guard channel.isUsable else {
                let why = channel.verified == nil ? "not verified yet" : "disabled"
                return fault("channels", "\"\(name)\", which is \(why)", names)
            }
        }
        return nil
    }

    private var names: String {
        let usable = channels.filter(\.isUsable).map { "\"\($0.name)\"" }
        return usable.isEmpty
            ? "none, because you have no verified channel" : "any of \(usable.joined(separator: ", "))"
    }

    private func fault(_ field: String, _ value: String, _ accepted: String) -> RuleRefused.Reason {
        .fault(RuleFault(field: field, value: value, accepted: accepted))
    }
}
