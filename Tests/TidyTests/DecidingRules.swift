/// Rules about code that decides: from the same events it makes the same decisions, in the same order.
enum DecidingRules {
    static let all: [TidyRule] = [clockOrRandom, sleep, unorderedIteration]

    /// Where code decides: each is what the path of one file at least begins with.
    static let places: [String] = [
        "Sources/Domain/", "Sources/Wire/", "Sources/Adapters/Venues/", "Sources/Adapters/Web/Pacing/",
        "Sources/Adapters/Bus/Subscribing/StreamTracker", "Sources/Adapters/Store/Pool/ConnectBackoff",
        "Sources/Stores/MarketStore/Leases/LeasePlan", "Sources/Stores/MarketStore/Leases/Rendezvous",
        "Sources/Stores/MarketStore/Leases/Ownership",
        "Sources/Stores/MarketStore/Subscriptions/FollowPlan",
        "Sources/Stores/MarketStore/Subscriptions/SubscriptionRank",
        "Sources/Services/BusBroker/RetainedStore",
        "Sources/Services/BookBuilding/Books/", "Sources/Services/BookBuilding/Market/",
        "Sources/Services/BookBuilding/BuilderCore", "Sources/Services/AlertEvaluation/Shards/",
        "Sources/Services/AlertEvaluation/Following/",
        "Sources/Services/AlertEvaluation/Storing/CommitQueue", "Sources/Services/Notifying/Deciding/",
        "Sources/Services/FeedIngestion/Publishing/",
        "Sources/Services/FeedIngestion/Subscriptions/PartPlan",
        "Sources/Services/FeedIngestion/Subscriptions/WantedInstruments",
        "Sources/Services/FeedIngestion/Tickers/TickerTable",
        "Sources/Services/FeedIngestion/Trades/Backfill", "Sources/Services/FeedIngestion/Trades/TapeGap",
        "Sources/Services/FeedIngestion/Trades/TradeBacklog",
        "Sources/Services/FeedIngestion/Trades/WriteQueue",
        "Sources/Services/FeedIngestion/Venue/RequestPlan",
        "Sources/Services/FeedIngestion/Venue/RequestPace",
        "Sources/Services/FeedIngestion/Venue/SendQueue",
        "Sources/Services/FeedIngestion/Venue/VenueReport",
        "Sources/Services/OperatorCommands/Backup/Schedule/BackupAgenda",
        "Sources/Services/OperatorCommands/Backup/Schedule/BackupRetention",
        "Sources/Services/PortfolioKeeping/ValuationCore", "Sources/Services/VenueSimulation/Playback/",
        "Sources/Services/VenueSimulation/Dialects/", "Sources/Services/VenueSimulation/Faults/",
        "Sources/Services/VenueSimulation/Synthetic/",
    ]

    private static func decides(_ file: SourceText) -> Bool {
        places.contains { file.path.hasPrefix($0) }
    }

    static let clockOrRandom = TidyRule.refusing(
        #"\bDate\(\)|\bDate\.now\b|\b(Continuous|Suspending)Clock\b(?!\.Instant\b)|\bclock_gettime\b"#
            + #"|\bgettimeofday\b|\b(Instant|Timestamp)\.now\b|(?<![\w)\]?!])\.now\b|\b(Wall|Monotonic)Clock\b"#
            + #"|\bBusClock\.(wall|mono)\w*|\bSystemRandomNumberGenerator\b"#
            + #"|\.random\((?![^\n]*\busing:)|\.randomElement\(\)|\.shuffled?\(\)|\barc4random|\btime\(nil\)"#,
        named: "clock-or-random",
        because: """
            What decides must replay: the same recording gives the same events. Pass the time in as a \
            Timestamp or an Instant, and randomness as a generator.
            """
    ) { decides($0) }

    static let sleep = TidyRule.refusing(
        #"(?<!func )\b(u|nano)?sleep\("#,
        named: "sleep-in-deciding",
        because: "What decides does not wait: it says when it wants to be asked again."
    ) { decides($0) }

    static let unorderedIteration = TidyRule(
        name: "unordered-iteration",
        reason: """
            A dictionary and a set lie in another order in each process: sort what comes out, or say why the \
            order cannot show.
            """
    ) { tree in
        let files = tree.swiftFiles.filter { decides($0) && !$0.isGenerated }
        let types = Dictionary(grouping: files) { $0.path.prefix { $0 != "+" && $0 != "." } }
        return files.flatMap { file in
            let type = types[file.path.prefix { $0 != "+" && $0 != "." }] ?? [file]
            return UnorderedIteration(of: type).violations(in: file)
        }
    }
}
