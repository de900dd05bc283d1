import Foundation
import InstallationStore
import Store
import Support
import Testing

@Suite("Upgrade and back", .timeLimit(.minutes(10)))
struct UpgradeTests {
    /// To this version, and to one after it that only adds.
    private static let versions = [
        InstallationSchemas.migrators,
        PlantedSteps.after(InstallationSchemas.migrators, PlantedSteps.Expanding.self),
    ]

    @Test("loses nothing of the landed release, whose programs go on working", arguments: [0, 1])
    func drill(version: Int) async throws {
        let drill = try await UpgradeDrill(to: Self.versions[version])
        let before = try await drill.tables()
        // Every part of the drill has something to lose.
        #expect(before.sums.count { $0.value.rows > 0 } >= 20, "empty: \(before.empty)")
        let news = try await drill.upgrade()
        let isChanged = news.contains { $0.description.contains("to be applied") }
        #expect(news.contains { $0.description.contains("and is whole") } == isChanged)
        #expect(version == 0 || isChanged)
        #expect(before.differences(to: try await before.again(in: drill.configuration)) == [])

        try await drill.startOld()
        #expect(try await drill.refused() == [])
        try await drill.workOld()
        let worked = try await drill.tables()
        #expect(!before.differences(to: worked).isEmpty)

        #expect(try await drill.upgrade().last == .nothingToDo)
        try await drill.startNew()
        #expect(worked.differences(to: try await worked.again(in: drill.configuration)) == [])
    }

    @Test("would find a version that takes away what the landed release asks for")
    func contracting() async throws {
        let drill = try await UpgradeDrill(
            to: PlantedSteps.after(InstallationSchemas.migrators, PlantedSteps.Contracting.self))
        let before = try await drill.tables()
        _ = try await drill.upgrade()
        let refused = try await drill.refused()
        for source in ["Sources/Stores/AlertStore/Rules/", "Sources/Stores/PortfolioStore/"] {
            #expect(refused.contains { $0.contains(source) }, "\(source)")
        }
        await #expect(throws: StoreError.self) { try await before.again(in: drill.configuration) }
        await #expect(throws: StoreError.self) { try await drill.workOld() }
    }

    @Test("keeps the landed release from a version that says that it takes something away")
    func refusal() async throws {
        let drill = try await UpgradeDrill(
            to: PlantedSteps.after(InstallationSchemas.migrators, PlantedSteps.ContractingSaid.self))
        _ = try await drill.upgrade()
        let error = await #expect(throws: StoreError.self) { try await drill.startOld() }
        let words = "schema alerts is at version 9000, which programs from version 9000 on can work on"
        #expect(error.map { "\($0)".contains(words) } == true)
        try await drill.startNew()
    }

    @Test("would find a version that loses what was there")
    func losing() async throws {
        let drill = try await UpgradeDrill(
            to: PlantedSteps.after(InstallationSchemas.migrators, PlantedSteps.Losing.self))
        let before = try await drill.tables()
        _ = try await drill.upgrade()
        let lost = before.differences(to: try await before.again(in: drill.configuration))
        #expect(lost.count == 2 && lost[0].hasPrefix("accounts.watchlist_entry: 1 rows"), "\(lost)")
        #expect(lost.last?.hasPrefix("alerts.rule: 1 rows") == true, "\(lost)")
    }
}

@Suite("Landed release", .timeLimit(.minutes(10)))
struct LandedReleaseTests {
    /// `make landed NAME=…` has the tree as it is written down, once it has landed.
    @Test("lies in the tree, and no step of it is gone")
    func noted() throws {
        let versions = InstallationSchemas.migrators.map { ($0.schema, $0.version) }
        if let name = ProcessInfo.processInfo.environment["WRITE_LANDED"], !name.isEmpty {
            let release = LandedRelease(
                name: name, schemas: Dictionary(versions, uniquingKeysWith: { first, _ in first }))
            try release.write(TreeQueries(root: LandedRelease.root), without: TreeQueryTests.others)
        }
        let releases = try LandedRelease.all()
        #expect(!releases.isEmpty && Set(releases.map(\.name)).count == releases.count)
        for release in releases {
            for (schema, landed) in release.schemas {
                let version = versions.first { $0.0 == schema }?.1 ?? 0
                #expect(landed <= version, "\(release.name): \(schema)")
            }
            #expect(try release.statements().count > 250, "\(release.name)")
        }
    }
}
