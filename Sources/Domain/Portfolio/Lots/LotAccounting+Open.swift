import Instruments

extension LotAccounting {
    /// The open lots where they are, in order of asset, acquisition, row.
    ///
    /// A lot that lies in several wallets is told as several, whose amounts and costs sum to its own.
    var openLots: [OpenLot] {
        var room = balances
        var result: [(OpenLot, Int32)] = []
        for pool in pools {
            let open = pool.heap.elements.filter { !lots[Int($0.lot)].amount.isZero }
                .sorted { $0.isOlder(than: $1) }
            let averages =
                method == .average
                ? pool.basis.split(by: open.map { lots[Int($0.lot)].amount }, places: LotAccounting.places)
                : []
            let places = places(of: open.map(\.lot), &room)
            for (index, element) in open.enumerated() {
                let lot = lots[Int(element.lot)]
                let basis = method == .average ? averages[index] : lot.basis
                let parts = basis.split(by: places[index].map(\.amount), places: LotAccounting.places)
                for (place, part) in zip(places[index], parts) {
                    let open = OpenLot(
                        wallet: ledger.names.walletName(ofAccount: place.account),
                        holding: Holding(place.amount, ledger.names.asset(ofAccount: place.account)),
                        costBasis: part, acquired: lot.acquired, acquiredBy: Int(lot.entry),
                        assumed: lot.assumed)
                    result.append((open, element.lot))
                }
            }
        }
        return result.enumerated().sorted { left, right in
            let (a, b) = (left.element.0, right.element.0)
            if a.holding.asset != b.holding.asset {
                return a.holding.asset.rawValue < b.holding.asset.rawValue
            }
            return (a.acquired, left.element.1, left.offset) < (b.acquired, right.element.1, right.offset)
        }.map(\.element.0)
    }

    private typealias Place = (account: Int32, amount: Amount)

    /// Where the lots of a pool are, each of them whole.
    ///
    /// Under wallet scope each is in its wallet. Under universal scope a disposal takes lots wherever they
    /// were bought and coins where they are, so that lots have no wallet of their own: they are told where
    /// the coins are. The newest stay where they were acquired, as far as that wallet holds so much; the
    /// others, the oldest first, are in the other wallets by name. What was bought at one place and carried
    /// to another is there, the oldest of it first, and what each wallet's lots sum to is what it holds.
    private func places(of open: [Int32], _ room: inout [Amount]) -> [[Place]] {
        guard scope == .universal else {
            return open.map { [(lots[Int($0)].account, lots[Int($0)].amount)] }
        }
        var places = [[Place]](repeating: [], count: open.count)
        var left = open.map { lots[Int($0)].amount }
        for index in open.indices.reversed() {
            let account = lots[Int(open[index])].account
            take(min(max(room[Int(account)], .zero), left[index]), account, index)
        }
        guard let first = open.first else { return places }
        let asset = ledger.names.accounts[Int(lots[Int(first)].account)].asset
        var accounts = balances.indices.filter {
            ledger.names.accounts[$0].asset == asset && room[$0].isPositive
        }.sorted {
            ledger.names.walletName(ofAccount: Int32($0)) < ledger.names.walletName(ofAccount: Int32($1))
        }[...]
        for index in open.indices {
            while left[index].isPositive, let account = accounts.first {
                take(min(room[account], left[index]), Int32(account), index)
                if room[account].isZero { accounts.removeFirst() }
            }
        }
        return places

        func take(_ part: Amount, _ account: Int32, _ index: Int) {
            guard part.isPositive else { return }
            places[index].append((account, part))
            room[Int(account)] -= part
            left[index] -= part
        }
    }
}
