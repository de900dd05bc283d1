import Instruments
package import Portfolio
package import Shapes

extension Schema {
    /// Why a cost is not what its owner stated.
    static let assumedBasis = words([AssumedBasis.price, .zero, .carried, .fee].map(\.rawValue))
    static let transactionKind = words(TransactionKind.allCases.map(\.rawValue))
    /// How long something was held.
    static let term = words(["short", "long"])
}

/// A lot, or a part of one, that is still there.
package struct OpenLotBody: WireBody {
    package static let shape = BodyShape<OpenLotBody>(
        "OpenLot", "What is left of an acquisition; money is in the base currency."
    ) {
        Field(
            "wallet", \.lot.wallet,
            "Under universal scope lots belong to no wallet, and are told where the coins are.",
            example: "Cold")
        Field(all: \.lot.holding)
        Field("acquired", \.lot.acquired.plain, as: .time, example: "2026-01-02T00:00:00Z")
        Field("cost_basis", \.lot.costBasis, "What it cost, fees included.", example: "15000")
        Field("term", \.term, "As if it were sold now.", as: .term, example: "short")
        Field(
            "unrealized", \.unrealized, "Its value less its cost; null without a price.", example: "250")
        Field(
            ifPresent: "assumed", \.lot.assumed?.rawValue, "Why the cost is not what the owner stated.",
            as: .assumedBasis)
    }

    let lot: OpenLot
    let term: String
    let unrealized: Amount?

    /// - Parameters:
    ///   - lot: What is there.
    ///   - loaded: Whose it is, at its moment.
    package init(_ lot: OpenLot, of loaded: LoadedLedger) {
        let report = loaded.report
        let price = loaded.prices.price(of: lot.holding.asset, in: report.base, at: loaded.moment)
        self.lot = lot
        term = report.longTerm.word(from: lot.acquired, to: loaded.moment)
        unrealized = price.map { lot.holding.amount * $0.price - lot.costBasis }
    }
}

extension LotPiece: WireBody {
    package static let shape = BodyShape<LotPiece>("RemovedLot", "What was taken from a lot.") {
        Field("acquired", \.acquired.plain, as: .time, example: "2026-01-02T00:00:00Z")
        Field("amount", \.amount, example: "0.25")
        Field("cost_basis", \.costBasis, "Its cost in the base currency.", example: "15000")
    }
}

/// What a disposal took from a lot.
struct DisposedLotBody: WireBody {
    static let shape = BodyShape<DisposedLotBody>("DisposedLot", "What a disposal took from a lot.") {
        Field(all: \.piece)
        Field("term", \.term, "How long it was held.", as: .term, example: "short")
        Field(
            "proceeds", \.proceeds, "Its part of what the disposal brought; null without a price.",
            example: "15100")
        Field("gain", \.gain, "Proceeds less cost; null without a price.", example: "100")
        Field(
            ifPresent: "assumed", \.piece.assumed?.rawValue, "Why the cost is not what the owner stated.",
            as: .assumedBasis)
    }

    var piece: LotPiece
    var term: String
    var proceeds: Amount?
    var gain: Amount? { proceeds.map { $0 - piece.costBasis } }
}

/// Where coins left, and which lots they took.
struct DisposalBody: WireBody {
    static let shape = BodyShape<DisposalBody>(
        "Disposal", "Where coins left, and which lots they took; money is in the base currency."
    ) {
        Field("time", \.disposal.time.plain, as: .time, example: "2026-01-03T00:00:00Z")
        Field(
            "kind", \.disposal.kind.rawValue, "The transaction's; \"fee\" for the part that paid a fee.",
            as: .transactionKind, example: "sell")
        Field("wallet", \.disposal.wallet, example: "Cold")
        Field(all: \.disposal.subject)
        Field("proceeds", \.disposal.proceeds, "Less fees; null without a price.", example: "15100")
        Field("cost_basis", \.disposal.costBasis, example: "15000")
        Field("gain", \.disposal.gain, "Proceeds less cost; null without a price.", example: "100")
        Field(
            "external_id", { $0.report.ledger.transactions[$0.disposal.entry].externalID },
            "The transaction's; empty where it has none.", example: "s1")
        Field("lots", \.lots)
    }

    let disposal: Disposal
    let report: LotReport

    init(_ disposal: Disposal, in report: LotReport) { (self.disposal, self.report) = (disposal, report) }

    private var lots: [DisposedLotBody] {
        let proceeds = report.proceeds(of: disposal)
        return report.pieces[disposal.pieces].enumerated().map { index, piece in
            DisposedLotBody(
                piece: piece, term: report.longTerm.word(from: piece.acquired, to: disposal.time),
                proceeds: proceeds?[index])
        }
    }
}

/// Coins that left without a gain: withdrawn, or given away.
struct RemovalBody: WireBody {
    static let shape = BodyShape<RemovalBody>("Removal", "Coins that left without a gain.") {
        Field("time", \.row.time.plain, as: .time, example: "2026-01-04T00:00:00Z")
        Field("kind", \.row.kind.rawValue, as: .transactionKind, example: "withdrawal")
        Field("wallet", \.row.wallet, example: "Cold")
        Field(all: \.row.subject)
        Field("cost_basis", \.removal.costBasis, "In the base currency.", example: "15000")
        Field("lots", { Array($0.report.pieces[$0.removal.pieces]) })
        Field(
            "external_id", \.row.externalID, "The transaction's; empty where it has none.", example: "w1")
    }

    let removal: Removal
    let report: LotReport
    private var row: Transaction { report.ledger.transactions[removal.entry] }

    init(_ removal: Removal, in report: LotReport) { (self.removal, self.report) = (removal, report) }
}

/// A cost that was assumed.
package struct AssumedBasisBody: WireBody {
    package static let shape = BodyShape<AssumedBasisBody>(
        "AssumedBasis", "An acquisition whose cost is not what its owner stated."
    ) {
        Field("time", \.row.time.plain, as: .time, example: "2026-01-01T00:00:00Z")
        Field("kind", \.row.kind.rawValue, as: .transactionKind, example: "deposit")
        Field("wallet", \.row.wallet, example: "Cold")
        Field(all: \.entry.subject)
        Field("cost_basis", \.entry.costBasis, "In the base currency.", example: "15000")
        Field(
            "assumed", \.entry.reason.rawValue,
            "By the price of then, as nothing, as what was given for it, or without a fee of unknown worth.",
            as: .assumedBasis)
    }

    let entry: AssumedEntry
    let row: Transaction

    /// - Parameters:
    ///   - entry: What was assumed.
    ///   - report: Whose it is.
    package init(_ entry: AssumedEntry, in report: LotReport) {
        (self.entry, row) = (entry, report.ledger.transactions[entry.entry])
    }
}
