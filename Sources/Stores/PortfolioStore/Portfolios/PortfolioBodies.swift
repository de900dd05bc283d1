package import Instruments
package import Shapes
import Store

extension StoredPortfolio: WireBody {
    package static let shape = BodyShape<StoredPortfolio>("Portfolio") {
        Field("name", \.name, "Unique among its owner's.", example: "Main")
        Field("id", \.id.description, as: .text("uuid"), example: .text(Schema.sampleID))
        Field("base", \.base.rawValue, "The currency of costs, gains and values.", example: "USD")
        Field("change", \.change, "Counts the changes of what it contains; 0 for none.", example: 3)
        Field(
            "changed", \.changed.plain, "When the last of them was.", as: .time,
            example: "2026-11-21T12:00:00Z")
        Field("created", \.created.plain, as: .time, example: "2026-11-20T12:00:00Z")
    }
}

extension StoredWallet: WireBody {
    package static let shape = BodyShape<StoredWallet>("Wallet") {
        Field("name", \.name, "Unique in its portfolio.", example: "Cold")
        Field(
            "kind", \.kind.rawValue, "Where it is.", as: .words(WalletKind.allCases.map(\.rawValue)),
            example: "cold")
        Field("note", \.note, "Anything, such as the address.", example: "")
        Field("created", \.created.plain, as: .time, example: "2026-11-21T12:00:00Z")
    }
}

/// A link as it is at a moment, without what opens it.
package struct ShareBody: WireBody {
    package static let shape = BodyShape<ShareBody>("Share") {
        Field("id", \.link.id.description, as: .text("uuid"), example: .text(Schema.sampleID))
        Field(
            "state", { $0.link.stateName(at: $0.now) }, as: .words(["open", "expired", "revoked"]),
            example: "open")
        Field("created", \.link.created.plain, as: .time, example: "2026-11-21T12:00:00Z")
        Field(
            "expires", \.link.expires.plain, "From when on it shows nothing.", as: .time,
            example: "2026-12-21T12:00:00Z")
    }

    private let link: ShareLink
    private let now: Timestamp

    package init(_ link: ShareLink, at now: Timestamp) { (self.link, self.now) = (link, now) }
}
