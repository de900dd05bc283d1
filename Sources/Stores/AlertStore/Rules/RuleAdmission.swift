import AccountStore
import Alerting
package import Instruments
package import MarketStore
import PortfolioStore
import Store
import Zones

/// What a user's rules are checked against before they are stored.
struct RuleAdmission {
    private let now: Timestamp
    private let instruments: Set<InstrumentID>
    private let channels: [Channel]
    private let portfolios: [StoredPortfolio]
    private let pairs: [ListedPair]

    /// Reads what these rules refer to.
    init(
        _ rules: [AlertRule], of user: UserID, at now: Timestamp, in session: borrowing Session
    ) throws(StoreError) {
        self.now = now
        let named = Array(Set(rules.compactMap(\.instrument).filter(\.isTraded)))
        instruments = named.isEmpty ? [] : Set(try session.known(named))
        let isTold = rules.contains { !$0.channels.isEmpty }
        channels = isTold ? try session.channels(of: user) : []
        let subjects = rules.compactMap(\.subject)
        let namesPortfolio = subjects.contains { $0.venue == .portfolio }
        portfolios = namesPortfolio ? try session.portfolios(of: user) : []
        let namesPair = subjects.contains { !$0.isTraded && $0.venue != .portfolio }
        pairs = namesPair ? try session.pairs() : []
    }

    /// - Throws: ``RuleRefused`` in a ``StoreError/body(_:)``.
    func check(_ rule: AlertRule, index: Int) throws(StoreError) {
        if let reason = refusal(of: rule) { throw .body(RuleRefused(index: index, reason)) }
    }

    private func refusal(of rule: AlertRule) -> RuleRefused.Reason? {
        if let reason = refusal(ofSubject: rule) { return reason }
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

    private func refusal(ofSubject rule: AlertRule) -> RuleRefused.Reason? {
        switch rule.condition.input {
        case .figure(let id, _):
            guard !portfolios.contains(where: { $0.id.description == id }) else { return nil }
            let known = portfolios.map { "\"\($0.id)\" (\($0.name))" }.joined(separator: ", ")
            return fault(
                "condition.portfolio.id", "\"\(id)\"",
                portfolios.isEmpty
                    ? "the id of a portfolio of yours, of which there is none" : "any of \(known)")
        case .listings(let venue):
            let venues = Set(pairs.map(\.venue)).sorted()
            guard !venues.contains(venue) else { return nil }
            return fault(
                "condition.listing.venue", "\"\(venue)\"",
                venues.isEmpty
                    ? "a venue whose instruments are known; none are, since no feed has run"
                    : "any of \(venues.map(\.rawValue).joined(separator: ", ")), whose instruments are known")
        default:
            guard let id = rule.instrument else { return nil }
            let isKnown = id.venue == .index ? pairs.contains { $0.index == id } : instruments.contains(id)
            return isKnown ? nil : .unknownInstrument(id)
        }
    }

    private var names: String {
        let usable = channels.filter(\.isUsable).map { "\"\($0.name)\"" }
        return usable.isEmpty
            ? "none, because you have no verified channel" : "any of \(usable.joined(separator: ", "))"
    }

    private func fault(_ field: String, _ value: String, _ accepted: String) -> RuleRefused.Reason {
        .fault(FieldFault(field, value, accepted: accepted))
    }
}

extension Session {
    /// Which of some instruments are known.
    fileprivate func known(_ ids: [InstrumentID]) throws(StoreError) -> [InstrumentID] {
        try rows(
            """
            SELECT venue, symbol FROM market.instrument
            WHERE (venue, symbol) IN (
                SELECT * FROM unnest(\(ids.map(\.venue.rawValue))::text[], \(ids.map(\.symbol))::text[]))
            """
        ) { try $0.instrumentID() }
    }
}

extension ListedPair {
    /// How rules call the index price of the pair.
    package var index: InstrumentID { InstrumentID(venue: .index, symbol: "\(base)-\(quote)") }
}
