import Foundation

/// What Package.swift and dependencies.txt say of packages that come directly: `owner/name version`.
enum DependencyText {
    static func named(in manifest: String) -> Set<String> {
        let named = manifest.matches(
            of: /\.package\(url: "https:\/\/github\.com\/([^"]+?)(?:\.git)?", \w+: "([^"]+)"\)/)
        return Set(named.map { "\($0.1) \($0.2)" })
    }

    static func direct(in list: String) -> Set<String> {
        let lines = list.split(separator: "\n").filter { !$0.hasPrefix("#") }
        let columns = lines.map { line in
            line.split(separator: "|").map { String($0.drop { $0 == " " }.prefix { $0 != " " }) }
        }
        return Set(columns.filter { $0.count == 5 && $0[3] == "directly" }.map { "\($0[0]) \($0[1])" })
    }
}

/// Images that others have made, in a Dockerfile or in docker-compose.yml.
enum ImageText {
    /// Projects whose whole version has two numbers.
    static let twoParts: Set<Substring> = ["debian", "postgres"]

    /// Those that are not built here, with the Dockerfile's own arguments put in.
    static func bases(in text: String) -> [(line: Int, text: String)] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let arguments = lines.compactMap { $0.wholeMatch(of: /ARG (\w+)=(\S+)/) }
        let stages = Set(lines.compactMap { $0.firstMatch(of: /^FROM \S+ AS (\S+)/)?.1 })
        return lines.enumerated().compactMap { offset, line in
            guard let found = line.firstMatch(of: /^(?:FROM|\s+image:) +(\S+)/)?.1,
                !stages.contains(found), !found.hasPrefix("bitpal/")
            else { return nil }
            let image = arguments.reduce(String(found)) { $0.replacing("${\($1.1)}", with: $1.2) }
            return (offset + 1, image)
        }
    }

    /// Whether a name can lead to one image only, as far as whoever published it keeps their word.
    static func isExact(_ image: String) -> Bool {
        if image.contains(/@sha256:[0-9a-f]{64}$/) { return true }
        guard let colon = image.lastIndex(of: ":"), !image[colon...].contains("/") else { return false }
        // Some write `v` before their versions.
        let version = image[image.index(after: colon)...]
        let numbers = version.dropFirst(version.first == "v" ? 1 : 0).prefix { $0.isNumber || $0 == "." }
        let parts = numbers.split(separator: ".", omittingEmptySubsequences: false)
        let project = image[..<colon].split(separator: "/").last ?? ""
        return parts.allSatisfy { !$0.isEmpty } && parts.count >= (twoParts.contains(project) ? 2 : 3)
    }
}

/// The product's version, where it stands.
enum VersionText {
    /// As the sources of this package have it; empty when they have none, which no heading is.
    static let current: String = {
        let url = SourceTree.packageRoot.appending(path: "Sources/Adapters/Version/ProductVersion.swift")
        let text = try? String(contentsOf: url, encoding: .utf8)
        return text?.firstMatch(of: /static let number = "([^"]+)"/).map { String($0.1) } ?? ""
    }()

    static func isHeading(_ heading: String, of version: String) -> Bool {
        guard let match = heading.wholeMatch(of: /## (\d+\.\d+\.\d+) \((?:next|\d{4}-\d\d-\d\d)\)/) else {
            return false
        }
        return match.1 == version
    }
}
