/// Violations of ``CommentRules``, and declarations that need no comment.
enum PlantedComments {
    static let all: [Planted] =
        Planted.cases(
            CommentRules.undocumented, in: "Sources/Adapters/Bus/A.swift",
            [
                "package struct Frame {": [1],
                "public struct Frame {": [1],
                "/// A frame.\npackage struct Frame {": [],
                "/// A frame.\n@frozen\npackage struct Frame {": [],
                "// Not for readers of the interface.\npackage final class Frame {": [2],
                "package static func undocumentedCut(_ bytes: Int) {": [1],
                "@discardableResult\npackage func undocumentedCut<T>(_ bytes: T) {": [2],
                "package mutating func removeAll() {": [],
                "package func undocumentedCut(\n    _ bytes: Int\n) {": [1],
                "package init(bytes: [UInt8]) {\npackage var count: Int": [],
                "package static func < (left: Frame, right: Frame) -> Bool {": [],
                "package func hash(into hasher: inout Hasher) {": [],
                "struct Frame {\nfunc undocumentedCut(_ bytes: Int) {": [],
            ])
        + Planted.cases(
            CommentRules.undocumented, in: "Tests/Support/A.swift", ["package struct Frame {": []])
}
