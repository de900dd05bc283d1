import Instruments
import Portfolio

/// That a change of a ledger's past breaks nothing that follows, without reading what follows.
///
/// Only coins can be short, currencies may go below zero. So it is enough to look at the coins in the wallets
/// that the change moves: PostgreSQL sums up the other rows since, for each such account and instant, and
/// says how little is there once all that leaves at an instant has left and nothing has come yet. Where that
/// is enough before the change and after it, no order of the rows of an instant lets one of these accounts be
/// short, now or before. Then each instant goes as it went, and what was right is right.
///
/// It is a proof or nothing: where it is not enough, and that may be so where much comes and goes at one
/// instant, the ledger is replayed (``LedgerReplay``), which decides, and names the row.
struct LedgerProof {
    /// Rows of a change beyond which it is not tried: a replay costs little more then.
    private static let limit = 64

    /// A coin in a wallet.
    struct Account: Hashable {
        var wallet: String
        var asset: Asset

        init(_ balance: Balance) { (wallet, asset) = (balance.wallet, balance.holding.asset) }
    }

    /// What the rows that stay come to, of one account: at an instant of the change, or until the next one.
    struct Standing {
        /// Which of the accounts, from 0.
        var account: Int
        /// Which of the instants, from 0, or after which.
        var instant: Int
        var isAtInstant: Bool
        /// The least that they leave, counted from the first instant.
        var least: Amount
        /// What they bring in all.
        var total: Amount
    }

    /// Coins that the change moves, each in its wallet.
    let accounts: [Account]
    /// When, in order.
    let times: [Timestamp]
    /// Rows that do not stay as they are.
    let numbers: [Int64]
    private let gone: [Move]
    private let new: [Move]

    /// `nil` where it is not tried.
    init?(_ change: LedgerChange) {
        guard change.gone.count + change.new.count <= Self.limit else { return nil }
        for new in change.new {
            guard (try? new.row.transaction.check(new.place)) != nil else { return nil }
        }
        var gone: [Int64: Move] = [:]
        var new: [Int64: Move] = [:]
        for row in change.gone { gone[row.number] = Move(row.transaction) }
        for entry in change.new { new[entry.row.number] = Move(entry.row.transaction) }
        // An edit of words moves what was moved before.
        for (number, move) in gone where new[number] == move { (gone[number], new[number]) = (nil, nil) }
        (self.gone, self.new) = (Array(gone.values), Array(new.values))
        numbers = gone.keys.sorted()
        let moves = self.gone + self.new
        times = Set(moves.map(\.time)).sorted()
        accounts = Set(moves.flatMap(\.amounts).filter { !$0.holding.asset.isCurrency }.map(Account.init))
            .sorted { ($0.wallet, $0.asset.rawValue) < ($1.wallet, $1.asset.rawValue) }
    }

    /// Whether nothing breaks.
    ///
    /// - Parameters:
    ///   - standings: One for each account and instant at least.
    ///   - before: What the wallets held in the end, before the change.
    /// - Returns: `false` where that is not known.
    func holds(_ standings: [Standing], before: [Balance]) -> Bool {
        var held: [Account: Amount] = [:]
        for balance in before { held[Account(balance)] = balance.holding.amount }
        return standings.allSatisfy { standing in
            let account = accounts[standing.account]
            var opening = (held[account] ?? .zero) - standing.total
            for move in gone { opening -= move.amount(account) }
            return [gone, new].allSatisfy { moves in
                !(opening + standing.least + worst(of: moves, account, standing)).isNegative
            }
        }
    }

    /// What some moves leave of an account, at an instant what leaves then first.
    private func worst(of moves: [Move], _ account: Account, _ standing: Standing) -> Amount {
        let time = times[standing.instant]
        var sum = Amount.zero
        for move in moves {
            let amount = move.amount(account)
            if move.time < time || move.time == time && (!standing.isAtInstant || amount.isNegative) {
                sum += amount
            }
        }
        return sum
    }
}

/// What one row of a change moves.
private struct Move: Hashable {
    var time: Timestamp
    /// Which says where it stands among others of its instant.
    var kind: TransactionKind
    /// Of each account.
    var amounts: [Balance]

    init(_ row: Transaction) {
        var sheet = BalanceSheet()
        sheet.add(row)
        (time, kind, amounts) = (row.time, row.kind, sheet.balances)
    }

    func amount(_ account: LedgerProof.Account) -> Amount {
        amounts.first { LedgerProof.Account($0) == account }?.holding.amount ?? .zero
    }
}
