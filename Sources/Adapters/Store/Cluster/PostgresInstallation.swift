import Glibc

/// PostgreSQL's server programs on this machine.
struct PostgresInstallation: Sendable {
    /// Directory with `postgres` and `initdb`.
    let binaries: String

    private static let debianRoot = "/usr/lib/postgresql"

    /// Finds the newest installation, or the one that made an existing data directory.
    ///
    /// Debian keeps the programs out of PATH, so it looks there first, then asks `pg_config`, then PATH.
    static func find(for dataDirectory: String) throws(ClusterError) -> PostgresInstallation {
        let needed = FileAccess.text(dataDirectory + "/PG_VERSION").flatMap { text in
            Int(text.prefix { $0.isNumber })
        }
        let found = try candidates()
        guard let newest = found.first else { throw .serverMissing }
        guard let needed else { return newest }
        for installation in found where try installation.majorVersion() == needed { return installation }
        throw .versionMissing(needed: needed, directory: dataDirectory)
    }

    private static func candidates() throws(ClusterError) -> [PostgresInstallation] {
        let versions = FileAccess.names(in: debianRoot).compactMap(Int.init).sorted(by: >)
        var directories = versions.map { "\(debianRoot)/\($0)/bin" }
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
        let searched = path.split(separator: ":").map(String.init)
        if let config = searched.map({ $0 + "/pg_config" }).first(where: FileAccess.isExecutable) {
            let outcome = try Subprocess.run([config, "--bindir"], limit: .seconds(10))
            if outcome.status == 0 { directories.append(outcome.lastLine) }
        }
        directories += searched + ["/usr/local/pgsql/bin"]
        return directories.filter { directory in
            ["/postgres", "/initdb"].allSatisfy { FileAccess.isExecutable(directory + $0) }
        }.map(PostgresInstallation.init)
    }

    /// `postgres (PostgreSQL) 15.20 (…)` → 15.
    private func majorVersion() throws(ClusterError) -> Int? {
        let words = try Subprocess.run([binaries + "/postgres", "--version"], limit: .seconds(10))
            .lastLine.split(separator: " ")
        return words.lazy.compactMap { word in Int(word.prefix { $0.isNumber }) }.first
    }
}
