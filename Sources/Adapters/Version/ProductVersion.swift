import CVersion

/// Which release of Bitpal this is, and of which commit.
///
/// What `--version`, the API's document and the status of each service say.
package enum ProductVersion {
    /// The release, as the newest heading of CHANGELOG.md names it.
    package static let number = "0.9.0"

    /// Of this program.
    package static let text = text(commit: String(cString: bitpal_known_commit()))

    /// For people, `0.9.0 (be77a80, 2026-11-26)`, of a commit as `scripts/commit.sh` says it; empty is
    /// unknown.
    static func text(commit: String) -> String {
        "\(number) (\(commit.isEmpty ? "unknown commit" : commit))"
    }
}
