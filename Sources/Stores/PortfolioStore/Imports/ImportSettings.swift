import AccountStore
import Instruments
import LedgerFiles
import Portfolio
import Store

/// What a portfolio takes over of a file's settings, and what it keeps of its own.
///
/// A wallet that is there by its name alone, lot settings and targets are taken where the portfolio has none;
/// what its owner has set stays.
struct SettingsPlan {
    private(set) var wallets: [StoredWallet] = []
    private(set) var lots: [LotPolicy.Change]?
    private(set) var targets: [Asset: Amount]?
    /// What becomes of them, each in one sentence; nothing of what is the same already.
    private(set) var notes: [String] = []

    init(
        _ settings: PortfolioSettings, for portfolio: StoredPortfolio, _ session: borrowing Session,
        at now: Timestamp
    ) throws(StoreError) {
        let (id, user) = (portfolio.id, portfolio.user)
        if let base = settings.base, base != portfolio.base {
            notes.append("the file's currency is \(base); this portfolio stays in \(portfolio.base)")
        }
        try plan(settings.wallets, over: try session.wallets(of: id, by: user), at: now)
        let wanted = settings.lots.sorted { $0.from < $1.from }
        let known = try session.lotSettings(of: id, by: user)
        if !wanted.isEmpty, wanted != known {
            if known.isEmpty { lots = wanted }
            note(wanted.count, "lot setting", isTaken: known.isEmpty)
        }
        let shares = Dictionary(
            settings.targets.map { ($0.asset, $0.share) }, uniquingKeysWith: { first, _ in first })
        let present = try session.targets(of: id, by: user)
        let own = Dictionary(present.map { ($0.asset, $0.share) }, uniquingKeysWith: { first, _ in first })
        if !shares.isEmpty, shares != own {
            if own.isEmpty { targets = shares }
            note(shares.count, "target", isTaken: own.isEmpty)
        }
    }

    private mutating func plan(
        _ settings: [PortfolioSettings.Wallet], over known: [StoredWallet], at now: Timestamp
    ) throws(StoreError) {
        var kept: [String] = []
        for wallet in settings {
            guard let kind = WalletKind(rawValue: wallet.kind) else {
                let kinds = WalletKind.allCases.map(\.rawValue).joined(separator: ", ")
                throw .body(PortfolioRefused.fault("wallets", "\"\(wallet.kind.prefix(80))\"", kinds))
            }
            let old = known.first { $0.name == wallet.name }
            if let old, old.kind == kind, old.note == wallet.note { continue }
            if let old, old.kind != .other || !old.note.isEmpty {
                kept.append("\"\(wallet.name)\"")
            } else {
                wallets.append(
                    StoredWallet(name: wallet.name, kind: kind, note: wallet.note, created: now))
            }
        }
        if !wallets.isEmpty { note(wallets.count, "wallet", isTaken: true) }
        if !kept.isEmpty {
            notes.append("kept as they are here: the wallets \(kept.joined(separator: ", "))")
        }
    }

    private mutating func note(_ count: Int, _ what: String, isTaken: Bool) {
        let things = "\(count) \(what)\(count == 1 ? "" : "s")"
        notes.append(isTaken ? "\(things) taken over" : "\(things) not taken: the portfolio has its own")
    }
}

extension Session {
    /// Stores what a plan takes over, after the file's rows.
    func store(
        _ plan: SettingsPlan, in id: PortfolioID, of user: UserID, at now: Timestamp
    ) throws(StoreError) {
        for wallet in plan.wallets {
            try putWallet(wallet.name, kind: wallet.kind, note: wallet.note, in: id, of: user, at: now)
        }
        if let lots = plan.lots { try setLots(lots, of: id, of: user, at: now) }
        if let targets = plan.targets { try setTargets(targets, of: id, of: user) }
    }
}
