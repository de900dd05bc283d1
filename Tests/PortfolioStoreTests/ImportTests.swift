import AccountStore
import Instruments
import MarketStore
import Portfolio
import PortfolioStore
import Store
import Support
import Testing

@Suite("Imports", .timeLimit(.minutes(10)))
struct ImportTests {
    private func rows(_ count: Int) throws -> [Transaction] {
        try (0..<count).map {
            try PortfolioFixture.row(.buy, "1", for: "\($0 + 1)", hour: Int64($0), wallet: "New")
        }
    }

    @Test("add what is new, make its wallets, and say of every other line why it added nothing")
    func report() async throws {
        let database = try await PortfolioFixture.database()
        let id = try await database.make(wallets: [])
        let first = try rows(2)
        _ = try await database.importFile(first, to: id)
        var named = try PortfolioFixture.row(.buy, "1", for: "7", hour: 9, wallet: "New", id: "n")
        let more = first + [first[0], named, named]
        let report = try await database.importFile(
            more, to: id, skipped: [ImportedFile.Line(9, "type \"x\" is not taken")])
        #expect(report.number == 2 && report.added == 2 && report.transactions == 3...4)
        let same = "duplicate: a transaction with the same content is there already"
        let lines = [
            ImportedFile.Line(2, same), ImportedFile.Line(3, same),
            ImportedFile.Line(6, "duplicate: external_id \"n\" is there already"),
            ImportedFile.Line(9, "type \"x\" is not taken"),
        ]
        #expect(report.skipped == lines)
        #expect(try await database.importLines(of: 2, in: id) == lines)
        #expect(try await database.imports(of: id).map(\.added) == [2, 2])
        #expect(try await database.wallets(of: id).map(\.name) == ["New"])
        named.note = "other"
        let conflicting = [named]
        let refused = await refusal { try await database.importFile(conflicting, to: id) }
        #expect(refused?.reason == .conflictingID("n", number: 4) && refused?.index == 0)
        await database.close()
    }

    @Test("of the same file add nothing, and keep two rows alike of one file")
    func repetition() async throws {
        let database = try await PortfolioFixture.database()
        let id = try await database.make(wallets: [])
        let row = try PortfolioFixture.row(.buy, "1", for: "1", hour: 1)
        #expect(try await database.importFile([row, row], to: id).added == 2)
        let again = try await database.importFile([row, row], to: id)
        #expect(again.added == 0 && again.number == nil && again.skipped.count == 2)
        #expect(try await database.importFile([row, row, row], to: id).added == 1)
        #expect(try await database.ledger(id).count == 3)
        #expect(try await database.imports(of: id).count == 2)
        await database.close()
    }

    @Test("take what was sent for a fee that is more than what arrived, with the rest of its file, once")
    func sentFees() async throws {
        let database = try await PortfolioFixture.database()
        let id = try await database.make(wallets: [])
        var sent = try PortfolioFixture.row(.transfer, "0.18", hour: 2, wallet: "New", id: "t")
        sent.toWallet = "Other"
        sent.fee = Holding(try PortfolioFixture.amount("0.82"), PortfolioFixture.bitcoin)
        let file = [try PortfolioFixture.row(.opening, "1", for: "1", hour: 1, wallet: "New"), sent]
        #expect(try await database.importFile(file, to: id).added == 2)
        #expect(try await database.importFile(file, to: id).added == 0)
        #expect(try await database.ledger(id).map(\.transaction.fee) == [nil, sent.fee])
        #expect(try await database.wallets(of: id).map(\.name) == ["New", "Other"])
        await database.close()
    }

    @Test("of a file whose transactions were edited since add nothing, nor does what they say now")
    func editedSince() async throws {
        let database = try await PortfolioFixture.database()
        let id = try await database.make(wallets: [])
        let (one, two) = (try rows(1)[0], try rows(2)[1])
        let named = try PortfolioFixture.row(.buy, "1", for: "7", hour: 9, wallet: "New", id: "n")
        let file = [one, two, two, named]
        #expect(try await database.importFile(file, to: id).added == 4)
        // The first two, each made like another row of the file; the fourth says something else.
        _ = try await database.edit(1, in: id) { $0 = two }
        _ = try await database.edit(2, in: id) { $0 = one }
        _ = try await database.edit(2, in: id) { $0.note = "mine" }
        _ = try await database.edit(4, in: id) { $0.tags = ["mine"] }
        for turned in [file, file.reversed()] {
            let again = try await database.importFile(turned, to: id)
            #expect(again.added == 0 && again.skipped.count == 4)
        }
        #expect(try await database.add([named], to: id).duplicates == [0])
        let exported = try await database.ledger(id).map(\.transaction)
        #expect(try await database.importFile(exported, to: id).added == 0)
        // What was removed is new again.
        try await database.transaction { session in
            try session.removeTransactions(
                [1, 4], from: id, of: PortfolioFixture.user, at: PortfolioFixture.now)
        }
        #expect(try await database.importFile(file, to: id).added == 2)
        await database.close()
    }

    @Test("know what had an external id before an edit, and let others have the id that was given up")
    func givenUpID() async throws {
        let database = try await PortfolioFixture.database()
        let id = try await database.make(wallets: ["New"])
        let named = try PortfolioFixture.row(.buy, "1", for: "7", hour: 9, wallet: "New", id: "n")
        #expect(try await database.add([named], to: id).numbers == 1...1)
        _ = try await database.edit(1, in: id) { $0.externalID = "m" }
        // What it was added as adds nothing, and is the transaction that is there.
        let again = try await database.add([named], to: id)
        #expect(again.numbers == nil && again.known == [0: 1])
        // Something else may have the id that nobody has any more, once.
        var other = named
        other.note = "other"
        #expect(try await database.add([other], to: id).numbers == 2...2)
        #expect(try await database.add([other], to: id).known == [0: 2])
        #expect(try await database.add([named], to: id).known == [0: 1])
        var third = named
        third.note = "third"
        let sent = [third]
        let refused = await refusal { try await database.add(sent, to: id) }
        #expect(refused?.reason == .conflictingID("n", number: 2))
        await database.close()
    }

    @Test("store nothing when one row does not fit, and nothing in a preview")
    func nothing() async throws {
        let database = try await PortfolioFixture.database()
        let id = try await database.make(wallets: [])
        let sent = try rows(3) + [try PortfolioFixture.row(.sell, "9", for: "1", hour: 5, wallet: "New")]
        let refused = await refusal { try await database.importFile(sent, to: id) }
        #expect(refused?.index == 3)
        let file = ImportedFile(source: "a", format: "csv", rows: try rows(3), lines: [2, 3, 4])
        let preview = try await database.transaction { session in
            try session.previewImport(file, to: id, of: PortfolioFixture.user)
        }
        #expect(preview.added == 3 && preview.number == nil)
        #expect(try await database.ledger(id).isEmpty)
        #expect(try await database.wallets(of: id).isEmpty)
        await database.close()
    }

    @Test("refuse an asset that nobody knows with the nearest names, and take it when told to, or once known")
    func unknownAssets() async throws {
        let database = try await PortfolioFixture.database()
        let id = try await database.make(wallets: [])
        let strange = [
            try PortfolioFixture.row(.deposit, "5", "USD", hour: 0, wallet: "New"),
            try PortfolioFixture.row(.opening, "1", "BTX", for: "1", hour: 1, wallet: "New"),
        ]
        // Without markets nobody can say what there is: it is taken, and said.
        let blind = try await database.importFile(strange, to: id)
        #expect(blind.added == 2 && blind.unknownAssets.map(\.rawValue) == ["BTX"])
        let market = Instrument(
            id: InstrumentID(venue: .kraken, symbol: "BTC/USD"), base: PortfolioFixture.bitcoin,
            quote: PortfolioFixture.usd,
            kind: .spot, priceScale: .zero, sizeScale: .zero)
        try await database.store([market], at: .zero)
        let other = try await database.make(2, wallets: [])
        // What one ledger named is known to all of its owner's.
        #expect(try await database.importFile(strange, to: other).unknownAssets.isEmpty)
        let typo = strange.map { row in
            var row = row
            if row.subject.asset.rawValue == "BTX" { row.subject.asset = Asset(rawValue: "BTCC") }
            return row
        }
        let before = try await database.ledger(other).count
        let refused = await refusal { try await database.importFile(typo, to: other) }
        #expect(refused?.index == 1)
        let fault = UnknownAsset(field: "asset", asset: Asset(rawValue: "BTCC"), nearest: ["BTC", "BTX"])
        #expect(refused?.reason == .unknownAsset(fault))
        #expect(try await database.ledger(other).count == before)
        var file = ImportedFile(source: "a", format: "csv", rows: typo, lines: [2, 3])
        file.takesUnknownAssets = true
        let taken = file
        let report = try await database.transaction { session in
            try session.importTransactions(
                taken, to: other, of: PortfolioFixture.user, at: PortfolioFixture.now)
        }
        #expect(report.added == 1 && report.unknownAssets.map(\.rawValue) == ["BTCC"])
        await database.close()
    }

    @Test("say the line of the other row with the same external id")
    func repeatedIDs() async throws {
        let database = try await PortfolioFixture.database()
        let id = try await database.make(wallets: [])
        let rows = [
            try PortfolioFixture.row(.buy, "1", for: "1", hour: 1, wallet: "New", id: "x"),
            try PortfolioFixture.row(.buy, "2", for: "1", hour: 1, wallet: "New", id: "x"),
        ]
        let refused = await refusal { try await database.importFile(rows, to: id) }
        #expect(refused?.index == 1 && refused?.reason == .repeatedID("x", line: 2))
        await database.close()
    }

    @Test("whose connection dies while rows are sent leave nothing, and are whole when repeated")
    func interrupted() async throws {
        let database = try await PortfolioFixture.database()
        let id = try await database.make(wallets: [])
        let file = ImportedFile(
            source: "a", format: "csv", rows: try rows(5_000), lines: Array(2..<5_002))
        // The rows are on their way when another connection ends the importing one.
        let process = AsyncStream<Int32>.makeStream()
        async let killed: Void = {
            for await number in process.stream {
                _ = try? await database.first(EndProcess(number: number))
            }
        }()
        let error = await #expect(throws: StoreError.self) {
            try await database.transaction { session in
                let number = session.backendProcessID
                process.continuation.yield(number)
                process.continuation.finish()
                _ = try session.importTransactions(
                    file, to: id, of: PortfolioFixture.user, at: PortfolioFixture.now)
                // The import may be faster than the other connection: then the end comes before the commit.
                while true { _ = try session.first(EndProcess(number: 0)) }
            }
        }
        await killed
        #expect(error != nil)
        #expect(try await database.ledger(id).isEmpty)
        let report = try await database.transaction { session in
            try session.importTransactions(file, to: id, of: PortfolioFixture.user, at: PortfolioFixture.now)
        }
        #expect(report.added == 5_000)
        #expect(try await database.ledger(id).count == 5_000)
        await database.close()
    }
}

/// Ends a server process; 0 ends none.
private struct EndProcess: Statement {
    static let sql = "SELECT $1 > 0 AND pg_terminate_backend($1)"
    let number: Int32
    func bind(_ parameters: inout Parameters) { parameters.append(number) }
    static func decode(_ row: inout RowReader) throws(StoreError) -> Bool { try row.bool() }
}
