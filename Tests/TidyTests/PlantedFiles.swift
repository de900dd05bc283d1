/// Violations of ``TreeRules``, ``NameRules`` and ``ServiceRules``, and files that only look like one.
enum PlantedFiles {
    static let all: [Planted] = lines + lengths + places + floors + names + services

    private static let lines: [Planted] =
        Planted.cases(
            TreeRules.ownerlessTask, in: "Sources/Adapters/Bus/A.swift",
            [
                "// TODO: later": [1],
                "let a = 1  // FIXME this": [1],
                "// TODO(#7): the second venue": [],
                "let a = \"TODO: later\"": [],
            ])
        + Planted.cases(
            TreeRules.machinePath, in: "README.md",
            // Written in two parts, or this file would break the rule.
            [
                "cd " + "/" + "work/main": [1],
                "let a = \"" + "/" + "home/ada/data\"": [1],
                "Sources/work/A.swift, ./root/x, /var/lib": [],
            ])
        + Planted.cases(
            TreeRules.strictScript, in: "scripts/a.sh",
            ["#!/usr/bin/env bash\necho a\n": [1], "#!/usr/bin/env bash\nset -euo pipefail\n": []])
        + Planted.cases(
            TreeRules.brokenLink, in: "README.md",
            [
                "\nsee [it](services/none/README.md)": [2],
                "[a](Package.swift) [b](https://a.b) [c](#map)": [],
            ])

    private static let lengths: [Planted] =
        Planted.cases(
            TreeRules.fileLength, in: "Sources/Adapters/Bus/A.swift",
            [empty(lines: 501): [nil], empty(lines: 500): []])
        + Planted.cases(
            TreeRules.fileLength, in: "Sources/Wire/Wire/Generated/a.pb.swift", [empty(lines: 900): []])
        + Planted.cases(
            TreeRules.lineLength, in: "Tests/BusTests/A.swift",
            [
                "\n" + String(repeating: "x", count: 111): [2],
                String(repeating: "ä", count: 110): [],
            ])

    private static let places: [Planted] =
        Planted.cases(TreeRules.folderName, in: "Sources/Adapters/Bus/Helpers/A.swift", ["": [nil]])
        + Planted.cases(
            TreeRules.folderName, in: "Sources/Adapters/Bus/Models/Old/A.swift", ["": [nil, nil]])
        + Planted.cases(TreeRules.folderName, in: "Sources/Adapters/Store/Errors/Helpers.swift", ["": []])
        + Planted.cases(
            TreeRules.emptyTests, in: "Tests/BusTests/A.swift",
            ["// @Test comes later\n": [nil], "@Test(\"counts\") func counts() {}": []])
        + Planted.cases(TreeRules.emptyTests, in: "Tests/Support/A.swift", ["let a = 1": []])
        + Planted.cases(TreeRules.placeholder, in: "Sources/Adapters/Bus/Placeholder.swift", ["//": [nil]])
        + Planted.cases(TreeRules.placeholder, in: "Sources/Adapters/Bus/PlaceholderText.swift", ["//": []])

    private static let floors: [Planted] =
        Planted.cases(
            TreeRules.floors, in: "Sources/Adapters/Bus/A.swift",
            [
                "import Store\nimport Logging\nimport Wire\nimport Bus": [],
                "package import AlertStore": [1],
                "import Logging\n@testable import GatewayAPI": [2],
            ])
        + Planted.cases(
            TreeRules.floors, in: "Sources/Services/Notifying/A.swift",
            [
                "import AlertStore": [], "import Metadata": [1], "import bitpal": [1],
                "import GatewayFrame": [1],
            ])
        + Planted.cases(
            TreeRules.floors, in: "Sources/Services/GatewayStream/A.swift",
            ["import GatewayFrame": [], "import GatewayAPI": [1], "import Notifying": [1]])
        + Planted.cases(
            TreeRules.floors, in: "Sources/Services/GatewayAPI/A.swift",
            ["import GatewayFrame\nimport GatewayStream": [], "import Notifying": [1]])
        + Planted.cases(TreeRules.floors, in: "Sources/Programs/bitpal/A.swift", ["import Metadata": []])
        + Planted.cases(TreeRules.floors, in: "Sources/Bus/A.swift", ["": [nil]])
        + Planted.cases(
            TreeRules.terminalDoor, in: "Sources/Services/OperatorCommands/Alerts/A.swift",
            [
                "import AccountStore\nimport InstallationStore\n// import AlertStore": [],
                "import Store\npublic import PortfolioStore": [2],
                "import struct AlertStore.Channel": [1],
            ])
        + Planted.cases(
            TreeRules.terminalDoor, in: "Sources/Services/GatewayAPI/A.swift", ["import AlertStore": []])

    private static let names: [Planted] = Planted.cases(
        NameRules.doubledType, in: "Sources/Services/Notifying/A.swift",
        [
            "import Wire\n\npackage enum Topic {}": [3],
            "public final class Database {}\n@MainActor struct Price {}": [1, 2],
            "struct Notifier {}\nstruct Fresh {\n    enum Topic {}\n}": [],
            "extension Topic {}\n// struct Topic\nenum Main {}": [],
        ])

    private static let services: [Planted] =
        Planted.cases(
            ServiceRules.configurationKeys, in: "services/a/config.json",
            [#"{"unread": {"key": 1}}"#: [nil], "[]": [nil], "{}": []])
        + Planted.cases(ServiceRules.configurationKeys, in: "services/a/README.md", ["# a": [nil]])
        + Planted.cases(ServiceRules.readme, in: "services/a/config.json", ["{}": [nil]])
        + Planted.cases(
            ServiceRules.readme, in: "services/a/README.md",
            ["# a\n## Purpose\n": [nil], page(lines: 61): [nil], page(lines: 60): []])

    private static func empty(lines count: Int) -> String {
        String(repeating: "\n", count: count)
    }

    private static func page(lines count: Int) -> String {
        let headings = ServiceRules.headings.map { "## \($0)\n" }.joined()
        return headings + empty(lines: count - ServiceRules.headings.count)
    }
}
