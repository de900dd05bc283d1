import Instruments
import LedgerFiles
import Portfolio

/// Rows of Binance's history that belong to each other, for all that their times and operations say.
///
/// Which coin was given for which is told by the operations' names, by the remark of a conversion, by a coin
/// that one trade got and the next one gave, or by rows that alternate in the file. Where none of these tells
/// it, nothing is booked: the balances would be right and the costs of two coins exchanged.
struct BinanceGroup {
    /// In the file's order; never empty.
    let rows: [BinanceRow]
    /// Of the first row in time.
    let time: Timestamp

    private static let selling: Set<String> = ["Transaction Sold", "Transaction Revenue"]
    private static let buying: Set<String> = ["Transaction Buy", "Transaction Spend"]

    /// - Precondition: There is a row.
    init(_ rows: [BinanceRow]) {
        precondition(!rows.isEmpty, "a group has a row")
        self.rows = rows
        time = rows.reduce(rows[0].time) { min($0, $1.time) }
    }

    private var legs: [BinanceRow] { rows.filter { !$0.isFee } }

    /// Whether something came or something went, but not both.
    private var hasOneSide: Bool {
        legs.allSatisfy(\.change.isNegative) || legs.allSatisfy(\.change.isPositive)
    }

    // MARK: Two seconds

    /// Joins what one trade wrote in two seconds that follow each other.
    ///
    /// One of the two must lack a side, and both together be one exchange of two coins; where a second fits
    /// to the one before as well as to the one after, nobody knows to which, and both stay as they are.
    ///
    /// - Parameter groups: Of one account and one kind of trade, in order of time.
    /// - Returns: The same rows, in order of time.
    static func joined(_ groups: [BinanceGroup]) -> [BinanceGroup] {
        let links = groups.indices.map { index in
            index + 1 < groups.count && groups[index].isContinued(by: groups[index + 1])
        }
        var result: [BinanceGroup] = []
        var index = 0
        while index < groups.count {
            let isOther = (index > 0 && links[index - 1]) || (index + 1 < groups.count && links[index + 1])
            if links[index], !isOther {
                result.append(groups[index].joined(with: groups[index + 1]))
                index += 2
            } else {
                result.append(groups[index])
                index += 1
            }
        }
        return result
    }

    private func isContinued(by next: BinanceGroup) -> Bool {
        next.time.nanoseconds(since: time) == 1_000_000_000 && (hasOneSide || next.hasOneSide)
            && BinanceGroup.one(joined(with: next).legs) != nil
    }

    private func joined(with next: BinanceGroup) -> BinanceGroup {
        BinanceGroup((rows + next.rows).sorted { $0.line < $1.line })
    }

    // MARK: Exchanges

    /// What was given for what; `nil` where that cannot be told.
    var exchanges: [ForeignExchange]? {
        var result: [ForeignExchange] = []
        for part in parts {
            guard let found = BinanceGroup.exchanges(part) else {
                return BinanceGroup.one(legs).map { [$0] }
            }
            result += found
        }
        return result.isEmpty ? nil : result
    }

    /// Why there are no ``exchanges``.
    var reason: String {
        if legs.isEmpty { return "a fee without its trade" }
        if hasOneSide { return "the other half of the trade is neither in its second nor in one beside it" }
        let given = BinanceGroup.sums(legs.filter(\.change.isNegative)).count
        let gotten = BinanceGroup.sums(legs.filter(\.change.isPositive)).count
        return "trades of one second with \(given) coins given and \(gotten) got: "
            + "what was given for what cannot be told"
    }

    /// The rows of sales and those of purchases, or those of each remark of a conversion: `DOGE to BNB`.
    private var parts: [[BinanceRow]] {
        let legs = legs
        let sold = legs.filter { BinanceGroup.selling.contains($0.operation) }
        let bought = legs.filter { BinanceGroup.buying.contains($0.operation) }
        if sold.count + bought.count == legs.count { return [sold, bought].filter { !$0.isEmpty } }
        guard legs.allSatisfy({ BinanceFormat.isConversion($0.operation) && !$0.remark.isEmpty }) else {
            return [legs]
        }
        return Dictionary(grouping: legs, by: \.remark).values.sorted { $0[0].line < $1[0].line }
    }

    private static func exchanges(_ rows: [BinanceRow]) -> [ForeignExchange]? {
        if let one = one(rows) { return [one] }
        return chain(rows) ?? inOrder(rows) ?? net(rows).map { [$0] }
    }

    /// One coin for another, in as many rows as there are.
    private static func one(_ rows: [BinanceRow]) -> ForeignExchange? {
        let given = sums(rows.filter(\.change.isNegative))
        let gotten = sums(rows.filter(\.change.isPositive))
        guard given.count == 1, gotten.count == 1, let give = given.first, let get = gotten.first,
            give.key != get.key
        else { return nil }
        return ForeignExchange(given: Holding(-give.value, give.key), gotten: Holding(get.value, get.key))
    }

    /// One coin for a second, and that for a third: as many rows on both sides of each, so that there is none
    /// of the first for the third.
    private static func chain(_ rows: [BinanceRow]) -> [ForeignExchange]? {
        let given = Dictionary(grouping: rows.filter(\.change.isNegative), by: \.asset)
        let gotten = Dictionary(grouping: rows.filter(\.change.isPositive), by: \.asset)
        let between = Set(given.keys).intersection(gotten.keys)
        guard given.count == 2, gotten.count == 2, between.count == 1, let middle = between.first,
            let start = given.first(where: { $0.key != middle })?.value,
            let end = gotten.first(where: { $0.key != middle })?.value,
            let came = gotten[middle], let went = given[middle],
            start.count == came.count, went.count == end.count,
            let first = one(start + came), let second = one(went + end)
        else { return nil }
        return [first, second]
    }

    /// Rows that alternate: given, got, given, got; or the other way round.
    private static func inOrder(_ rows: [BinanceRow]) -> [ForeignExchange]? {
        guard rows.count.isMultiple(of: 2) else { return nil }
        var found: [ForeignExchange] = []
        var places: [[Asset]: Int] = [:]
        for index in stride(from: 0, to: rows.count, by: 2) {
            guard rows[index].change.isNegative == rows[0].change.isNegative,
                let pair = one([rows[index], rows[index + 1]])
            else { return nil }
            let coins = [pair.given.asset, pair.gotten.asset]
            if let place = places[coins] {
                found[place].given.amount += pair.given.amount
                found[place].gotten.amount += pair.gotten.amount
            } else {
                places[coins] = found.count
                found.append(pair)
            }
        }
        return found
    }

    /// Two coins, bought and sold in the same second: what is left of both.
    private static func net(_ rows: [BinanceRow]) -> ForeignExchange? {
        let sums = sums(rows)
        guard sums.count == 2, let give = sums.first(where: \.value.isNegative),
            let get = sums.first(where: \.value.isPositive)
        else { return nil }
        return ForeignExchange(given: Holding(-give.value, give.key), gotten: Holding(get.value, get.key))
    }

    private static func sums(_ rows: [BinanceRow]) -> [Asset: Amount] {
        var sums: [Asset: Amount] = [:]
        for row in rows { sums[row.asset, default: .zero] += row.change }
        return sums
    }

    // MARK: Fees

    /// What was paid in each coin.
    var fees: [Asset: Amount] {
        BinanceGroup.sums(rows.filter(\.isFee)).filter(\.value.isNegative).mapValues { -$0 }
    }

    /// Rows of fees in coins of which more came back than was paid.
    var refunds: [BinanceRow] {
        let sums = BinanceGroup.sums(rows.filter(\.isFee))
        return rows.filter { $0.isFee && sums[$0.asset]?.isPositive == true }
    }
}
