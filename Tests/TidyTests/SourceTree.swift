import Foundation

/// The files that the rules look at, as they are on disk.
struct SourceTree: Sendable {
    let files: [SourceText]

    /// The package that these tests stand in.
    static let package = SourceTree(root: packageRoot)

    /// Where `Package.swift` lies, found from this file.
    static let packageRoot = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static let folders = ["Sources", "Tests", "Benchmarks", "proto", "scripts", "services", ".ci"]
    private static let textFiles: Set<String> = [
        "", "swift", "h", "c", "modulemap", "proto", "sh", "py", "md", "json", "yml", "yaml", "txt", "html",
    ]

    /// Folders of foreign or arbitrary bytes, which keep no rule.
    private static let dataFolders: Set<String> = ["FailCases", "Fixtures"]

    init(files: [SourceText]) {
        self.files = files
    }

    init(root: URL) {
        var paths = SourceTree.contents(of: root)
            .filter { !$0.hasDirectoryPath && !$0.lastPathComponent.hasPrefix(".build") }
        for folder in SourceTree.folders {
            paths += SourceTree.everything(under: root.appending(path: folder))
        }
        let prefix = root.path(percentEncoded: false)
        files =
            paths
            .filter { SourceTree.textFiles.contains($0.pathExtension) }
            .compactMap { url in
                let path = String(url.path(percentEncoded: false).dropFirst(prefix.count))
                let text = try? String(contentsOf: url, encoding: .utf8)
                return text.map { SourceText(path: path, text: $0) }
            }
            .sorted { $0.path < $1.path }
    }

    var swiftFiles: [SourceText] { files.filter(\.isSwift) }

    func file(_ path: String) -> SourceText? { files.first { $0.path == path } }

    /// The names of the folders directly in a folder, sorted.
    func folders(in folder: String) -> [String] {
        let names = files.filter { $0.isIn(folder) }.compactMap { file -> String? in
            let parts = file.path.dropFirst(folder.count + 1).split(separator: "/")
            return parts.count > 1 ? String(parts[0]) : nil
        }
        return Set(names).sorted()
    }

    private static func contents(of folder: URL) -> [URL] {
        let keys: [URLResourceKey] = [.isDirectoryKey]
        return (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: keys))
            ?? []
    }

    private static func everything(under folder: URL) -> [URL] {
        contents(of: folder).filter { !dataFolders.contains($0.lastPathComponent) }
            .flatMap { $0.hasDirectoryPath ? everything(under: $0) : [$0] }
    }
}
