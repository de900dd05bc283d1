import Instruments
import Portfolio

extension ImportedLedger {
    /// The fault of a ledger that is all there: an asset that leaves and that nothing ever brought is
    /// unknown, and those are named that it may have been.
    func faultNamingAssets(_ error: LedgerError) -> FileFault {
        var fault = fault(of: error)
        guard case .shortfall(_, let asset, _, _) = error.reason else { return fault }
        let known = broughtAssets
        guard !known.contains(asset.rawValue) else { return fault }
        let near = known.filter { Self.difference($0, asset.rawValue) <= 2 }.sorted().prefix(5)
        guard !near.isEmpty else { return fault }
        fault.field = fault.field.replacingSuffix("amount", with: "asset")
        fault.column = column(fault.field)
        fault.reason =
            "unknown asset \"\(asset)\", which nothing brought; nearest: \(near.joined(separator: ", "))"
        return fault
    }

    private var broughtAssets: Set<String> {
        var names: Set<String> = []
        for row in transactions {
            if row.kind == .buy || row.kind.isReceipt { names.insert(row.subject.asset.rawValue) }
            if row.kind == .sell || row.kind == .swap, let counter = row.counter {
                names.insert(counter.asset.rawValue)
            }
        }
        return names
    }

    /// Letters between what two names begin with alike and what they end with alike.
    private static func difference(_ first: String, _ second: String) -> Int {
        let (a, b) = (Array(first.utf8), Array(second.utf8))
        let shorter = min(a.count, b.count)
        let start = zip(a, b).prefix { $0 == $1 }.count
        let end = min(zip(a.reversed(), b.reversed()).prefix { $0 == $1 }.count, shorter - start)
        return max(a.count, b.count) - start - end
    }
}

extension String {
    fileprivate func replacingSuffix(_ suffix: String, with other: String) -> String {
        guard hasSuffix(suffix) else { return isEmpty ? other : self }
        return dropLast(suffix.count) + other
    }
}
