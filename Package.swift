// swift-tools-version: 6.2

import PackageDescription

// Every target is compiled with the same rules: Swift 6 mode, warnings are errors, imports are internal
// unless they are part of the interface, and a member needs the import of the module that declares it.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let configuration: Target.Dependency = .product(name: "Configuration", package: "swift-configuration")
let lifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let unixSignals: Target.Dependency = .product(name: "UnixSignals", package: "swift-service-lifecycle")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let metrics: Target.Dependency = .product(name: "Metrics", package: "swift-metrics")
let coreMetrics: Target.Dependency = .product(name: "CoreMetrics", package: "swift-metrics")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let nioEmbedded: Target.Dependency = .product(name: "NIOEmbedded", package: "swift-nio")
let nioHTTP1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let nioWebSocket: Target.Dependency = .product(name: "NIOWebSocket", package: "swift-nio")
let nioTLS: Target.Dependency = .product(name: "NIOTLS", package: "swift-nio")
let nioSSL: Target.Dependency = .product(name: "NIOSSL", package: "swift-nio-ssl")
let protobuf: Target.Dependency = .product(name: "SwiftProtobuf", package: "swift-protobuf")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore: Target.Dependency = .product(name: "HummingbirdCore", package: "hummingbird")
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let nioHTTPTypes: Target.Dependency = .product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let nioHTTPTypesHTTP1: Target.Dependency = .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras")
let jwtKit: Target.Dependency = .product(name: "JWTKit", package: "jwt-kit")

/// The floors of `Sources/`, bottom up.
///
/// A target imports only lower floors and its own; services none but, of the gateway, the three each other.
enum Floor: String {
    case domain = "Domain"
    case wire = "Wire"
    case adapters = "Adapters"
    case stores = "Stores"
    case services = "Services"
    case programs = "Programs"

    func system(_ name: String, _ packages: String...) -> Target {
        .systemLibrary(name: name, path: path(name), providers: packages.isEmpty ? nil : [.apt(packages)])
    }

    func library(
        _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []
    ) -> Target {
        .target(
            name: name, dependencies: dependencies, path: path(name), exclude: exclude, swiftSettings: strict)
    }

    func executable(
        _ name: String, _ dependencies: [Target.Dependency], _ settings: [SwiftSetting] = []
    ) -> Target {
        .executableTarget(
            name: name, dependencies: dependencies + ["CCommit"], path: path(name),
            swiftSettings: strict + settings)
    }

    private func path(_ name: String) -> String { "Sources/\(rawValue)/\(name)" }
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

/// Which commit the sources are of, by `scripts/commit.sh`; empty where nobody says so.
///
/// Only what that prints, since it becomes a text in C.
let commit = (Context.environment["BUILD_COMMIT"] ?? "")
    .filter { $0.isASCII && ($0.isLetter || $0.isNumber || " ,-".contains($0)) }

let package = Package(
    name: "bitpal",
    platforms: [.macOS(.v26)],
    products: [
        .executable(name: "bitpal", targets: ["bitpal"])
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-configuration", exact: "1.4.0"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/apple/swift-protobuf", exact: "1.39.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/vapor/jwt-kit", exact: "5.7.1"),
    ],
    targets: [
        // System libraries: a module map and the smallest C shim each.
        Floor.adapters.system("CZeroMQ", "libzmq3-dev"),
        Floor.adapters.system("CPostgres", "libpq-dev"),
        Floor.adapters.system("CCurl", "libcurl4-openssl-dev"),
        Floor.adapters.system("CZlib", "zlib1g-dev"),
        Floor.adapters.system("CSodium", "libsodium-dev"),
        Floor.adapters.system("CLinux"),
        Floor.adapters.system("CVersion"),

        // The domain. Pure: no I/O, no clock, no logging.
        Floor.domain.library("Encodings"),
        Floor.domain.library("Instruments"),
        Floor.domain.library("MarketData", ["Instruments"]),
        Floor.domain.library("MarketState", ["Instruments", "MarketData"]),
        Floor.domain.library("Statistics", ["Instruments"]),
        Floor.domain.library("Portfolio", ["Instruments", "Statistics"]),
        Floor.domain.library("JSON", ["Instruments"]),
        Floor.domain.library("Alerting", ["Instruments", "JSON", "MarketData", "Statistics"]),
        Floor.domain.library(
            "Channels", ["Alerting", "Encodings", "Instruments", "JSON", crypto], exclude: ["README.md"]),
        Floor.domain.library("Accounts", ["Encodings", "Instruments", crypto]),

        // The wire: the public schema.
        Floor.wire.library("Shapes", ["Instruments", "JSON"]),
        Floor.wire.library("Wire", ["Instruments", "JSON", "MarketData", "Shapes", protobuf]),

        // Adapters to the outside world.
        Floor.adapters.library("Threads", ["CLinux"]),
        Floor.adapters.library("Version", ["CVersion"]),
        Floor.adapters.library(
            "Bus",
            [
                "CZeroMQ", "Threads", "Version", "Wire", "Instruments", "MarketData", lifecycle, logging,
                metrics,
            ]),
        Floor.adapters.library(
            "Store",
            [
                "CPostgres", "CLinux", "Encodings", "Instruments", "Threads", crypto, lifecycle, logging,
                metrics,
            ]),
        Floor.adapters.library("Credentials", ["CSodium", "Accounts", "Encodings", "Threads", crypto]),
        Floor.adapters.library(
            "Web",
            [
                "CCurl", "CZlib", "Encodings", "Threads", crypto, nioCore, nioPosix, nioHTTP1, nioTLS,
                nioWebSocket, nioSSL, logging, metrics,
            ]),
        Floor.adapters.library("Sending", ["CCurl", "CLinux", "Channels", "Threads"]),
        Floor.adapters.library("Zones", ["Alerting"]),
        Floor.adapters.library("Recordings", ["CZlib", "Instruments", "MarketData", "Venues"]),
        Floor.adapters.library("Venues", ["Instruments", "MarketData"], exclude: ["README.md"]),
        Floor.adapters.library("Providers", ["Instruments", "Venues", "Web"]),
        Floor.adapters.library("LedgerFiles", ["Instruments", "JSON", "Portfolio", "Shapes", "Statistics"]),
        Floor.adapters.library("ForeignLedgers", ["Instruments", "LedgerFiles", "Portfolio"]),
        Floor.adapters.library(
            "Operations",
            [
                "CLinux", "JSON", "Version", configuration, lifecycle, unixSignals, logging, metrics,
                coreMetrics, nioCore, nioPosix, nioHTTP1,
            ]),
        Floor.adapters.library(
            "Hosting",
            ["Bus", "Instruments", "Operations", "Store", lifecycle, logging, nioCore, nioPosix]),

        // The stores: one for each schema of the database, and one for what spans them.
        Floor.stores.library("MarketStore", ["Store", "Instruments", "MarketData", "MarketState", logging]),
        Floor.stores.library("AccountStore", ["Accounts", "Instruments", "MarketStore", "Store", logging]),
        Floor.stores.library(
            "PortfolioStore",
            [
                "AccountStore", "Instruments", "LedgerFiles", "MarketState", "MarketStore", "Portfolio",
                "Shapes", "Statistics", "Store", logging,
            ]),
        Floor.stores.library(
            "AlertStore",
            [
                "AccountStore", "Accounts", "Alerting", "Channels", "Credentials", "Encodings", "Instruments",
                "JSON", "MarketStore", "PortfolioStore", "Shapes", "Store", "Zones", logging,
            ]),
        Floor.stores.library(
            "InstallationStore",
            [
                "AccountStore", "Accounts", "AlertStore", "Credentials", "Instruments", "MarketStore",
                "PortfolioStore", "Store", logging,
            ]),

        // The services.
        Floor.services.library(
            "BusBroker",
            [
                "Bus", "Instruments", "Threads", "Version", "Wire", "Operations", lifecycle, logging, metrics,
            ]),
        Floor.services.library(
            "FeedIngestion",
            [
                "Instruments", "MarketData", "Wire", "Bus", "Store", "MarketStore", "Web", "Venues",
                "Hosting", "Operations", "Recordings", configuration, lifecycle, logging, metrics, nioCore,
                nioPosix,
            ]),
        Floor.services.library(
            "BookBuilding",
            [
                "Hosting", "Instruments", "MarketData", "MarketState", "Wire", "Bus", "Store", "MarketStore",
                "Operations", "Venues", "Web", configuration, lifecycle, logging, metrics,
            ]),
        Floor.services.library(
            "Metadata",
            [
                "Instruments", "Bus", "Wire", "Store", "MarketStore", "Providers", "Venues", "Web",
                "Operations", "Hosting", lifecycle, logging, metrics,
            ]),
        Floor.services.library(
            "Notifying",
            [
                "AccountStore", "AlertStore", "Alerting", "Channels", "Credentials", "InstallationStore",
                "Hosting", "Instruments", "MarketStore", "Operations", "Sending", "Store", "Zones", lifecycle,
                logging, metrics,
            ]),
        Floor.services.library(
            "AlertEvaluation",
            [
                "AccountStore", "Alerting", "AlertStore", "Bus", "Instruments", "MarketData", "MarketState",
                "MarketStore", "Hosting", "Operations", "Store", "Wire", "Zones", lifecycle, logging, metrics,
            ]),
        Floor.services.library(
            "PortfolioKeeping",
            [
                "Instruments", "MarketData", "MarketState", "MarketStore", "Portfolio", "PortfolioStore",
                "Wire", "Bus", "Store", "Hosting", "Operations", "Venues", "Web", lifecycle, logging, metrics,
            ]),
        Floor.services.library(
            "VenueSimulation",
            [
                "Instruments", "JSON", "MarketData", "MarketState", "Venues", "Recordings", "Operations",
                configuration, lifecycle, logging, metrics, nioCore, nioPosix, nioHTTP1, nioWebSocket,
            ]),
        Floor.services.library(
            "GatewayFrame",
            [
                "Accounts", "AccountStore", "Bus", "Channels", "CZlib", "Encodings", "Hosting",
                "InstallationStore", "Instruments", "JSON", "Operations", "Shapes", "Store", "Version", "Web",
                crypto, hummingbird, hummingbirdCore, httpTypes, lifecycle, logging, metrics, nioCore,
                nioHTTP1, nioHTTPTypes, nioHTTPTypesHTTP1, nioSSL,
            ]),
        Floor.services.library(
            "GatewayStream",
            [
                "GatewayFrame", "Accounts", "AccountStore", "AlertStore", "Bus", "Encodings", "Hosting",
                "Instruments", "JSON", "MarketData", "MarketState", "MarketStore", "Operations",
                "PortfolioStore", "Shapes", "Store", "Web", "Wire", crypto, hummingbird, httpTypes, lifecycle,
                logging, metrics, nioCore, nioHTTP1, nioHTTPTypes, nioHTTPTypesHTTP1,
            ]),
        Floor.services.library(
            "GatewayAPI",
            [
                "GatewayFrame", "GatewayStream", "Accounts", "AccountStore", "Alerting", "AlertStore", "Bus",
                "Channels", "Credentials", "Encodings", "ForeignLedgers", "Hosting", "InstallationStore",
                "Instruments", "JSON", "LedgerFiles", "MarketData", "MarketState", "MarketStore",
                "Operations", "Portfolio", "PortfolioStore", "Sending", "Shapes", "Statistics", "Store",
                "Venues", "Web", "Wire", "Zones", crypto, hummingbird, httpTypes, jwtKit, lifecycle, logging,
                metrics, nioCore,
            ]),
        Floor.services.library(
            "OperatorCommands",
            [
                "CLinux", "Encodings", "Instruments", "JSON", "MarketData", "MarketState", "Wire", "Bus",
                "Store", "MarketStore", "Web", "Venues", "Recordings", "Statistics", "Alerting", "Portfolio",
                "ForeignLedgers", "LedgerFiles", "Accounts", "AccountStore", "Credentials", "Channels",
                "InstallationStore", "Hosting", "Shapes", "Zones", "Operations", argumentParser, lifecycle,
                unixSignals, logging, metrics, crypto, protobuf, nioCore, nioPosix,
            ]),

        // The programs put them together. The commit, which changes most often, is in no library.
        .target(
            name: "CCommit", path: "Sources/Programs/CCommit",
            cSettings: [.define("BUILD_COMMIT", to: "\"\(commit)\"")]),
        Floor.programs.executable("bus-broker", ["BusBroker", "Operations", "Bus"]),
        Floor.programs.executable("feed-ingestor", ["FeedIngestion", "Operations"]),
        Floor.programs.executable("book-builder", ["BookBuilding", "Metadata", "Operations"]),
        Floor.programs.executable("alert-evaluator", ["AlertEvaluation", "Operations"]),
        Floor.programs.executable("gateway", ["GatewayAPI", "Operations"]),
        Floor.programs.executable("notifier", ["Notifying", "Operations"]),
        Floor.programs.executable("portfolio-service", ["PortfolioKeeping", "Operations"]),
        Floor.programs.executable("venue-simulator", ["VenueSimulation", "Operations"]),
        Floor.programs.executable(
            "bitpal",
            [
                "OperatorCommands", "BusBroker", "FeedIngestion", "BookBuilding", "Metadata",
                "AlertEvaluation", "Notifying", "PortfolioKeeping", "GatewayAPI", "GatewayFrame",
                "VenueSimulation", "Operations", "Bus", "Credentials", "Hosting", "InstallationStore",
                "Store", "MarketStore", "Recordings", "Instruments", "Venues", "Version", argumentParser,
                lifecycle, logging,
            ]),

        // What `make bench` runs.
        .executableTarget(
            name: "bitpal-bench",
            dependencies: [
                "CLinux", "Bus", "BusBroker", "BookBuilding", "Wire", "Instruments", "MarketData",
                "MarketState", "Recordings", "Venues", "Alerting", "Channels", "Portfolio", argumentParser,
                logging, "MarketStore", "Store", "AccountStore", "AlertStore", "AlertEvaluation", "Notifying",
                "Operations", "Support", "GatewayAPI", "GatewayFrame", "GatewayStream", "Hosting", "Web",
                lifecycle, nioCore, nioPosix,
            ],
            path: "Benchmarks/bitpal-bench", swiftSettings: strict),

        // Tests.
        .target(
            name: "Support",
            dependencies: [
                "CLinux", "Instruments", "MarketData", "Wire", "Store", "MarketStore", "Bus", "Recordings",
                "Threads", "Venues", "Web", logging, lifecycle,
            ],
            path: "Tests/Support", swiftSettings: strict),
        tests("InstrumentsTests", ["Instruments", "Support"]),
        tests("JSONTests", ["JSON", "Support"]),
        tests("ShapesTests", ["Shapes", "Instruments", "JSON"]),
        tests("MarketDataTests", ["MarketData", "Instruments", "Support"]),
        tests("MarketStateTests", ["MarketState", "MarketData", "Instruments", "Support"]),
        tests("StatisticsTests", ["Statistics", "Support"]),
        tests("PortfolioTests", ["Portfolio", "Statistics", "Instruments", "Support"]),
        tests(
            "LedgerFilesTests",
            ["ForeignLedgers", "LedgerFiles", "Portfolio", "Instruments", "Shapes", "Support"]),
        tests("AlertingTests", ["Alerting", "Statistics", "MarketData", "Instruments", "Support"]),
        tests(
            "ChannelsTests", ["Channels", "Alerting", "Encodings", "Instruments", "JSON", "Support", crypto]),
        tests("AccountsTests", ["Accounts", "Encodings", "Instruments", "Support", crypto]),
        tests("CredentialsTests", ["Credentials", "Accounts", "Encodings", "Support", crypto]),
        tests(
            "AccountStoreTests",
            ["AccountStore", "Accounts", "MarketStore", "Store", "Support", "Instruments", logging]),
        .target(
            name: "FuzzInputs", dependencies: ["Wire", "Providers", "Venues", "MarketData", "Instruments"],
            path: "Tests/FuzzInputs", swiftSettings: strict),
        .target(
            name: "FuzzFileInputs",
            dependencies: ["ForeignLedgers", "Instruments", "LedgerFiles", "Operations", "Portfolio"],
            path: "Tests/FuzzFileInputs", swiftSettings: strict),
        tests("FuzzFileTests", ["FuzzFileInputs", "Support"], exclude: ["FailCases"]),
        .target(
            name: "FuzzGatewayInputs",
            dependencies: [
                "AccountStore", "Accounts", "Alerting", "Channels", "Credentials", "Encodings", "GatewayAPI",
                "GatewayFrame", "GatewayStream", "Instruments", "JSON", "LedgerFiles", "MarketData",
                "Portfolio", "Sending", "Shapes", "Store", crypto, httpTypes, hummingbird, jwtKit, logging,
                nioCore, nioEmbedded, nioHTTP1,
            ],
            path: "Tests/FuzzGatewayInputs", swiftSettings: strict),
        tests(
            "WireTests", ["Wire", "MarketData", "Instruments", "Support", "FuzzInputs", protobuf],
            exclude: ["FailCases"]),
        tests(
            "BusTests",
            [
                "Bus", "BusBroker", "Threads", "Operations", "Version", "Wire", "MarketData", "Instruments",
                "Support", "CZeroMQ", lifecycle, logging, protobuf,
            ]),
        tests(
            "StoreTests",
            [
                "Store", "MarketStore", "MarketData", "MarketState", "Instruments", "Support", lifecycle,
                logging,
            ]),
        tests(
            "AlertStoreTests",
            [
                "AlertStore", "Accounts", "AccountStore", "Alerting", "Channels", "Credentials",
                "InstallationStore", "MarketStore", "MarketData", "Instruments", "PortfolioStore", "Shapes",
                "Store", "Support", logging,
            ]),
        tests(
            "GatewayAPITests",
            [
                "GatewayAPI", "GatewayFrame", "GatewayStream", "Accounts", "AccountStore", "Alerting",
                "AlertStore", "Bus", "BusBroker", "Channels", "Credentials", "CZlib", "Encodings",
                "FuzzGatewayInputs", "InstallationStore", "Instruments", "JSON", "MarketData", "MarketState",
                "MarketStore", "LedgerFiles", "Hosting", "Operations", "Portfolio", "PortfolioStore",
                "Sending", "Shapes", "Store", "Support", "Web", "Wire", crypto, hummingbird, httpTypes,
                jwtKit, lifecycle, logging, nioCore, nioEmbedded, nioPosix, nioHTTP1, nioSSL, nioWebSocket,
            ], exclude: ["FailCases"]),
        tests("SendingTests", ["Sending", "Channels", "Support"]),
        tests("ZonesTests", ["Zones", "Alerting", "Instruments", "Support"]),
        tests(
            "NotifyingTests",
            [
                "Notifying", "Sending", "Channels", "AlertStore", "AccountStore", "Alerting", "Instruments",
                "Operations", "Store", "Support",
            ]),
        tests(
            "AlertEvaluationTests",
            [
                "AlertEvaluation", "AccountStore", "AlertStore", "Alerting", "Hosting", "Bus", "BusBroker",
                "Instruments", "MarketData", "MarketState", "MarketStore", "Operations", "PortfolioStore",
                "Store", "Support", "Wire", lifecycle, logging,
            ]),
        tests(
            "PortfolioStoreTests",
            [
                "PortfolioStore", "AccountStore", "LedgerFiles", "Portfolio", "MarketState", "MarketStore",
                "Instruments", "Store", "Support", logging,
            ]),
        tests(
            "WebTests",
            ["Web", "CZlib", "Support", nioCore, nioPosix, nioHTTP1, nioWebSocket, nioSSL, logging]),
        tests("RecordingsTests", ["Recordings", "Instruments", "Support"]),
        tests(
            "VenuesTests",
            [
                "Venues", "VenueSimulation", "FeedIngestion", "Recordings", "MarketData", "Instruments",
                "Support", "FuzzInputs", crypto,
            ], exclude: ["Fixtures", "FailCases"]),
        tests("ProvidersTests", ["Providers", "FuzzInputs", "Instruments", "MarketStore", "Support"]),
        tests(
            "MetadataTests",
            [
                "Metadata", "Providers", "VenueSimulation", "Store", "MarketStore", "Web", "Wire",
                "Instruments", "Support", "Operations", logging,
            ]),
        tests(
            "OperationsTests",
            [
                "JSON", "Operations", "Support", "Version", configuration, metrics, logging, lifecycle,
                nioCore, nioPosix,
            ]),
        tests("HostingTests", ["Hosting", "Bus", "Instruments", "Operations", "Store", "Support"]),
        tests(
            "FeedIngestionTests",
            [
                "FeedIngestion", "Venues", "Wire", "Bus", "BusBroker", "Store", "MarketStore", "MarketData",
                "Hosting", "Instruments", "Recordings", "Operations", "Web", "Support", logging, lifecycle,
                nioCore, nioPosix, nioHTTP1, nioWebSocket,
            ]),
        tests(
            "BookBuildingTests",
            [
                "BookBuilding", "Wire", "Bus", "BusBroker", "Store", "MarketStore", "MarketState",
                "MarketData", "Hosting", "Instruments", "Operations", "Support", logging, lifecycle,
            ]),
        tests(
            "PortfolioKeepingTests",
            [
                "PortfolioKeeping", "PortfolioStore", "Portfolio", "AccountStore", "Wire", "Bus", "BusBroker",
                "MarketData", "MarketStore", "VenueSimulation", "Store", "Instruments", "Operations",
                "Support", logging, "Hosting", lifecycle, nioPosix,
            ]),
        tests(
            "VenueSimulationTests",
            [
                "VenueSimulation", "FuzzInputs", "Venues", "Recordings", "MarketData", "MarketState",
                "Instruments", "JSON", "Operations", "Web", "Support", logging, lifecycle, nioCore, nioPosix,
            ]),
        tests(
            "OperatorCommandsTests",
            [
                "OperatorCommands", "AccountStore", "Accounts", "AlertStore", "Alerting", "Channels", "JSON",
                "VenueSimulation", "Operations", "Bus", "BusBroker", "Wire", "MarketState", "MarketData",
                "InstallationStore", "Instruments", "Venues", "Recordings", "Shapes", "Support", lifecycle,
                logging, nioCore, nioPosix, "MarketStore", "PortfolioStore", "Store", "Web",
                // What the tests start: as they are built, so are these.
                "bus-broker", "gateway", "bitpal",
            ]),
        tests(
            "IntegrationTests",
            [
                "AccountStore", "AlertStore", "Alerting", "Channels", "Support", "Bus", "Wire", "Store",
                "Hosting", "InstallationStore", "MarketStore", "Notifying", "Operations", "MarketData",
                "MarketState",
                "Instruments", "Portfolio", "PortfolioStore", "Recordings", "Venues", "Web", logging,
                lifecycle,
                // What the tests start: as they are built, so are these.
                "bus-broker", "venue-simulator", "feed-ingestor", "book-builder", "alert-evaluator",
                "notifier", "portfolio-service", "gateway", "bitpal", "bitpal-bench",
            ]),
        tests("PageTests", [], exclude: ["chromium"]),
        tests("TidyTests", ["Support"]),
    ],
    swiftLanguageModes: [.v6]
)

// Only some test targets, and what they need: what is compiled for a sanitizer is compiled anew.
if let chosen = Context.environment["TEST_TARGETS"]?.split(separator: ",").map(String.init) {
    package.targets.removeAll { $0.type == .test && !chosen.contains($0.name) }
}

// Fuzz targets have no main, since libFuzzer brings its own: they are part of the package only when asked
// for.
if Context.environment["ENABLE_FUZZING"] != nil {
    let fuzzed: [(name: String, inputs: Target.Dependency)] = [
        ("fuzz-wire", "FuzzInputs"), ("fuzz-venues", "FuzzInputs"),
        ("fuzz-files", "FuzzFileInputs"), ("fuzz-gateway", "FuzzGatewayInputs"),
    ]
    for (name, inputs) in fuzzed {
        package.targets.append(
            Floor.programs.executable(name, [inputs], [.unsafeFlags(["-parse-as-library"])]))
    }
}
