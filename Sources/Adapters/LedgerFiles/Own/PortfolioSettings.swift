package import Instruments
import JSON
package import Portfolio
package import Shapes

/// What belongs to a portfolio besides its transactions, as our own JSON has it.
package struct PortfolioSettings: Hashable, Sendable {
    /// A wallet.
    package struct Wallet: Hashable, Sendable {
        package var name: String
        /// Where it is, in the word that its store has for that.
        package var kind: String
        /// What its owner wrote about it.
        package var note: String

        package init(name: String, kind: String, note: String) {
            (self.name, self.kind, self.note) = (name, kind, note)
        }
    }

    /// A share of the whole that its owner wants.
    package struct Target: Hashable, Sendable {
        package var asset: Asset
        /// Above 0 and at most 1.
        package var share: Amount

        package init(asset: Asset, share: Amount) { (self.asset, self.share) = (asset, share) }
    }

    /// The currency of costs, gains and values; `nil` where a file does not say it.
    package var base: Asset?
    /// By name.
    package var wallets: [Wallet] = []
    /// How lots are taken; none for the standard.
    package var lots: [LotPolicy.Change] = []
    /// By asset.
    package var targets: [Target] = []

    package init() {}

    /// Whether there is something to take over.
    package var isEmpty: Bool { wallets.isEmpty && lots.isEmpty && targets.isEmpty }

    /// Reads what the members of a document say; others are left alone.
    ///
    /// - Throws: ``FileFault`` with the place of what cannot be read.
    init(reading members: [(key: String, element: JSONElement)]) throws(FileFault) {
        for (key, element) in members {
            switch key {
            case "base": base = try element.text.map { Asset(rawValue: $0) }
            case "wallets":
                for fields in try element.objects() {
                    wallets.append(
                        Wallet(
                            name: try fields.text("name"), kind: try fields.text("kind"),
                            note: try fields.textOrNil("note") ?? ""))
                }
            case "lot_settings":
                for fields in try element.objects() { lots.append(try Self.lots(fields)) }
            case "targets":
                for fields in try element.objects() {
                    let text = try fields.text("share")
                    guard let share = try? Amount(parsing: text) else {
                        throw fields.fault("share", "\"\(text)\" is not a plain decimal such as 0.25")
                    }
                    targets.append(Target(asset: Asset(rawValue: try fields.text("asset")), share: share))
                }
            default: break
            }
        }
    }

    private static func lots(_ fields: JSONFields) throws(FileFault) -> LotPolicy.Change {
        var from = Timestamp(nanoseconds: .min)
        if let text = try fields.textOrNil("from") {
            guard let time = Timestamp(iso8601: text) else {
                throw fields.fault("from", "\"\(text)\" is not a time such as 2025-01-01T00:00:00Z")
            }
            from = time
        }
        let (method, scope) = (try fields.text("method"), try fields.text("scope"))
        guard let known = LotMethod(rawValue: method) else {
            let all = LotMethod.allCases.map(\.rawValue).joined(separator: ", ")
            throw fields.fault("method", "\"\(method)\" is none of \(all)")
        }
        guard let place = LotScope(rawValue: scope) else {
            throw fields.fault("scope", "\"\(scope)\" is neither universal nor wallet")
        }
        return LotPolicy.Change(from: from, method: known, scope: place)
    }
}

extension PortfolioSettings: WireBody {
    /// Behind these members of an export follow its transactions.
    package static let shape = BodyShape<PortfolioSettings>("PortfolioSettings") {
        Field("base", \.base?.rawValue, "The currency of costs, gains and values.", example: "USD")
        Field("wallets", \.wallets, "By name.")
        Field("lot_settings", \.lots, "How lots are taken; none for the standard.")
        Field("targets", \.targets, "By asset.")
    }
}

extension PortfolioSettings.Wallet: WireBody {
    package static let shape = BodyShape<PortfolioSettings.Wallet>("ExportedWallet") {
        Field("name", \.name, example: "Cold")
        Field("kind", \.kind, "Where it is.", example: "cold")
        Field("note", \.note, "Anything.", example: "")
    }
}

extension PortfolioSettings.Target: WireBody {
    package static let shape = BodyShape<PortfolioSettings.Target>(
        "Target", "What its owner wants of an asset."
    ) {
        Field("asset", \.asset.rawValue, example: "BTC")
        Field("share", \.share, "Of the whole, above 0 and at most 1.", example: "0.5")
    }
}

extension LotPolicy.Change: WireBody {
    package static let shape = BodyShape<LotPolicy.Change>(
        "LotSetting", "How lots are taken from a moment on."
    ) {
        Field(
            "from", { $0.from.nanoseconds == .min ? nil : $0.from.plain }, "Null for the beginning.",
            as: .nullable(.time))
        Field("method", \.method.rawValue, "Which lots a disposal takes.", as: .lotMethod)
        Field("scope", \.scope.rawValue, "Which it may take.", as: .lotScope)
    }
}

extension Schema {
    static let lotMethod = words(LotMethod.allCases.map(\.rawValue))
    static let lotScope = words(LotScope.allCases.map(\.rawValue))
}
