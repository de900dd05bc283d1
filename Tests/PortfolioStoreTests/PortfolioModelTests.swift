import AccountStore
import Glibc
import Instruments
import Portfolio
import PortfolioStore
import Store
import Support
import Testing

/// What the store is said to do, in memory: every state after every change.
private struct NaiveStore {
    struct Entry: Equatable {
        var number: Int64
        var row: Transaction
    }

    var states: [[Entry]] = [[]]
    var next: Int64 = 1

    var current: [Entry] { states[states.count - 1] }

    private func holds(_ entries: [Entry]) -> Bool { (try? Ledger(entries.map(\.row))) != nil }

    /// All that a transaction ever said.
    private func said(_ number: Int64) -> [Transaction] {
        states.joined().filter { $0.number == number }.map(\.row)
    }

    /// Whether each of some rows has a transaction of its own that ever said it.
    private func areKnown(_ rows: ArraySlice<Transaction>, _ said: [[Transaction]]) -> Bool {
        guard let row = rows.first else { return true }
        return said.indices.contains { place in
            guard said[place].contains(row) else { return false }
            var others = said
            others.remove(at: place)
            return areKnown(rows.dropFirst(), others)
        }
    }

    /// Whether it was accepted.
    mutating func add(_ rows: [Transaction], isImport: Bool) -> Bool {
        var entries = current
        let said = current.map { self.said($0.number) }
        var known: [Transaction] = []
        var named: [String: [Transaction]] = [:]
        for row in said.joined() where !row.externalID.isEmpty {
            named[row.externalID, default: []].append(row)
        }
        var number = next
        for row in rows {
            if row.externalID.isEmpty, isImport, areKnown((known + [row])[...], said) {
                known.append(row)
                continue
            }
            if !row.externalID.isEmpty, let known = named[row.externalID] {
                if !known.contains(row) { return false }
                continue
            }
            if !row.externalID.isEmpty { named[row.externalID] = [row] }
            entries.append(Entry(number: number, row: row))
            number += 1
        }
        guard holds(entries) else { return false }
        if entries != current { states.append(entries) }
        next = number
        return true
    }

    mutating func edit(_ number: Int64, _ row: Transaction) -> Bool {
        var entries = current
        guard let place = entries.firstIndex(where: { $0.number == number }) else { return false }
        let isTaken = entries.contains {
            $0.number != number && !row.externalID.isEmpty && $0.row.externalID == row.externalID
        }
        entries[place].row = row
        guard !isTaken, holds(entries) else { return false }
        if entries != current { states.append(entries) }
        return true
    }

    mutating func remove(_ numbers: [Int64]) -> Bool {
        let entries = current.filter { !numbers.contains($0.number) }
        guard entries.count == current.count - numbers.count, holds(entries) else { return false }
        if !numbers.isEmpty { states.append(entries) }
        return true
    }
}

@Suite("A portfolio's store and a naive model", .timeLimit(.minutes(10)))
struct PortfolioModelTests {
    @Test("agree after every change, and about every past state")
    func model() async throws {
        let database = try await PortfolioFixture.database(connections: 1)
        let cases: UInt64 = getenv("SOAK").map { String(cString: $0) } == "1" ? 5_000 : 50
        for seed in 1...cases {
            do {
                try await check(seed, database)
            } catch {
                Issue.record("fails with seed \(seed): \(error)")
                break
            }
        }
        await database.close()
    }

    private func check(_ seed: UInt64, _ database: Database) async throws {
        var rng = SeededGenerator(seed: seed)
        let id = try await database.make(seed)
        var model = NaiveStore()
        for step in 0..<rng.int(1...14) {
            let isAccepted = try await change(&model, id, &rng, database)
            let stored = try await database.ledger(id).map {
                NaiveStore.Entry(number: $0.number, row: $0.transaction)
            }
            guard isAccepted, stored == model.current else {
                throw PropertyFailure("step \(step): accepted \(isAccepted), \(stored)")
            }
            guard !stored.isEmpty else { continue }
            let sums = try await StoredSums(of: id, in: database)
            guard try sums == StoredSums(of: stored.map(\.row)) else {
                throw PropertyFailure("step \(step): it is said to come to \(sums)")
            }
        }
        for (change, state) in model.states.enumerated() {
            let stored = try await database.ledger(id, after: Int64(change)).map {
                NaiveStore.Entry(number: $0.number, row: $0.transaction)
            }
            guard stored == state else { throw PropertyFailure("after change \(change): \(stored)") }
        }
    }

    /// One change of both; whether both took it or both refused it.
    private func change(
        _ model: inout NaiveStore, _ id: PortfolioID, _ rng: inout SeededGenerator, _ database: Database
    ) async throws -> Bool {
        let numbers = model.current.map(\.number)
        switch numbers.isEmpty ? 0 : rng.int(0...5) {
        case 0...2:
            var rows = try (0..<rng.int(1...5)).map { _ in try row(&rng) }
            // Sometimes what is there already comes again, or was before it was edited or removed.
            let all = model.states.joined().map(\.row)
            for _ in 0..<4 where !all.isEmpty && rng.chance(40) { rows.append(rng.pick(all)) }
            let isImport = rng.chance(60)
            let (sent, now) = (rows, PortfolioFixture.now)
            let isStored = try await isDone {
                if isImport {
                    _ = try await database.importFile(sent, to: id, at: now)
                } else {
                    _ = try await database.add(sent, to: id, at: now)
                }
            }
            return model.add(rows.map(plain), isImport: isImport) == isStored
        case 3, 4:
            let number = rng.pick(numbers)
            // An edit may make one like another.
            let new = rng.chance(30) ? rng.pick(model.current).row : try row(&rng)
            let isStored = try await isDone { _ = try await database.edit(number, in: id) { $0 = new } }
            return model.edit(number, plain(new)) == isStored
        default:
            let gone = numbers.filter { _ in rng.chance(30) }
            let isStored = try await isDone {
                try await database.transaction { session in
                    try session.removeTransactions(
                        gone, from: id, of: PortfolioFixture.user, at: PortfolioFixture.now)
                }
            }
            return model.remove(gone) == isStored
        }
    }

    private func isDone(_ body: () async throws -> Void) async throws -> Bool {
        do {
            try await body()
            return true
        } catch let error as StoreError {
            guard error.bodyError is PortfolioRefused else { throw error }
            return false
        }
    }

    private func row(_ rng: inout SeededGenerator) throws -> Transaction {
        let kind = rng.pick([TransactionKind.buy, .buy, .buy, .sell, .withdrawal, .staking, .transfer])
        var row = try PortfolioFixture.row(
            kind, "\(rng.int(1...9)).\(rng.int(0...99))", rng.pick(["BTC", "ETH"]),
            for: kind == .buy || kind == .sell ? "\(rng.int(1...500))" : nil, hour: Int64(rng.int(0...9)),
            id: rng.chance(50) ? "id\(rng.int(1...12))" : "")
        if kind == .transfer { row.toWallet = "Kraken" }
        if rng.chance(20) { row.fee = Holding(try PortfolioFixture.amount("0.0"), PortfolioFixture.usd) }
        if rng.chance(20) { row.tags = ["t"] }
        return row
    }

    /// A fee of nothing is stored as none.
    private func plain(_ row: Transaction) -> Transaction {
        var row = row
        row.fee = nil
        return row
    }
}
