import Foundation
import InstallationStore
import Support
import Synchronization

@testable import Store

/// An upgrade of the newest landed release to a version, the way back, work there, and the upgrade again.
///
/// What was there is compared by rows and contents, column by column of the landed release.
struct UpgradeDrill {
    let release: LandedRelease
    /// The schemas of the version that is upgraded to.
    let next: [Migrator]
    let configuration: StoreConfiguration
    private let folder: String

    /// Makes a database as the landed release has it, with its data.
    init(to next: [Migrator]) async throws {
        guard let release = try LandedRelease.all().last else { throw PropertyFailure("no release landed") }
        self.release = release
        self.next = next
        folder = try TestDatabase.temporaryDirectory()
        let landed = release.migrators
        configuration = try await TestDatabase.migrated("landed") { store, logger in
            for migrator in landed { try await migrator.migrate(store, logger: logger) }
        }
        try await script(LandedData.first)
    }

    /// The tables as they are, with the columns that they have.
    func tables() async throws -> TableSums {
        try await TableSums.all(next.map(\.schema), in: configuration)
    }

    /// What the job of the next version tells.
    func upgrade() async throws -> [MigrationNews] {
        let news = Mutex<[MigrationNews]>([])
        try await MigrationJob(next, backup: UserData.backup).run(
            configuration, first: .checkedBackup { [folder] in "\(folder)/\(UUID()).bitpal" },
            logger: TestDatabase.logger
        ) { told in news.withLock { $0.append(told) } }
        return news.withLock { $0 }
    }

    /// What each service of the landed release does first.
    func startOld() async throws {
        for migrator in release.migrators {
            try await migrator.prepare(configuration, logger: TestDatabase.logger)
        }
    }

    /// What each service of the next version does first.
    func startNew() async throws {
        for migrator in next { try await migrator.prepare(configuration, logger: TestDatabase.logger) }
    }

    /// Changes things as the programs of before do.
    func workOld() async throws { try await script(LandedData.second) }

    /// The statements of the landed release that the server refuses now, with what it says.
    func refused() async throws -> [String] {
        let statements = try release.statements()
        let temporary = statements.filter { $0.path == "temporary" }.map(\.text).joined(separator: ";")
        let asked = statements.filter { $0.path != "temporary" }
        guard asked.count > 250 else { throw PropertyFailure("only \(asked.count) statements are kept") }
        return try await Database.use(configuration, logger: TestDatabase.logger) { database in
            var refused: [String] = []
            for statement in asked {
                let problem = try await database.withSession { session in
                    do throws(StoreError) {
                        try session.script(temporary)
                        try session.script("PREPARE tried AS \(statement.text); DEALLOCATE tried")
                        return nil as StoreError?
                    } catch {
                        return error
                    }
                }
                // Whose type only its value tells is told by it where the program runs.
                guard let problem, problem.sqlState != "42P18" else { continue }
                refused.append("\(problem.debugDescription): \(statement)")
            }
            return refused
        }
    }

    private func script(_ text: String) async throws {
        try await Database.use(configuration, logger: TestDatabase.logger) { database in
            try await database.withSession { session in try session.script(text) }
        }
    }
}

extension LandedRelease {
    /// The schemas as its programs know them.
    var migrators: [Migrator] {
        InstallationSchemas.migrators.map { $0.limited(to: schemas[$0.schema] ?? 0) }
    }
}
