import Instruments
import Logging
import Portfolio
import PortfolioStore
import Store
import Synchronization
import Web

/// Keeps the European Central Bank's reference rates in PostgreSQL: all days when there are none or some are
/// missing, the newest ones after that.
///
/// One instance asks, the others read what it stored.
struct EuroRateUpdate: Sendable {
    /// Where the bank has its files.
    static let publicAddress = "https://www.ecb.europa.eu/stats/eurofxref"
    /// How often it is asked for rates that should be there: on its holidays there are none.
    ///
    /// Nanoseconds.
    private static let patience: Int64 = 3_600_000_000_000
    /// After a question without an answer.
    ///
    /// Nanoseconds.
    private static let retry: Int64 = 60_000_000_000

    let database: Database
    /// Empty when nobody is asked.
    let address: String
    let logger: Logger
    let clock: @Sendable () -> Timestamp
    private let client = HTTPClient()

    init(
        database: Database, address: String, logger: Logger, clock: @escaping @Sendable () -> Timestamp
    ) {
        self.database = database
        self.address = address
        self.logger = logger
        self.clock = clock
    }

    /// Runs until it is cancelled.
    ///
    /// - Parameters:
    ///   - isMine: Whether this instance is the one that asks.
    ///   - publish: Gets the newest rates now and then.
    func run(isMine: () -> Bool, _ publish: ([StoredEuroRate]) -> Void) async {
        var asked: Timestamp?
        var told: Timestamp?
        while !Task.isCancelled {
            do {
                let now = clock()
                let isDue = asked.map { now.nanoseconds(since: $0) >= 0 } ?? true
                if !address.isEmpty, isMine(), isDue {
                    let isNew = try await update(at: now)
                    asked = now.adding(nanoseconds: Self.patience)
                    if isNew { told = nil }
                }
                if told.map({ now.nanoseconds(since: $0) >= Self.retry }) ?? true {
                    publish(try await database.withSession { try $0.newestEuroRates() })
                    told = now
                }
            } catch {
                guard !Task.isCancelled else { return }
                logger.warning("Currency rates could not be updated", metadata: ["error": "\(error)"])
                asked = clock().adding(nanoseconds: Self.retry)
            }
            try? await Task.sleep(for: .seconds(1))
        }
    }

    /// - Returns: Whether rates were stored.
    private func update(at now: Timestamp) async throws -> Bool {
        let source = source
        let newest = try await database.withSession { try $0.newestEuroRates() }
        let wanted = EuroRate.newestDay(at: now)
        let last = newest.filter { $0.source == source }.map(\.rate.day).max()
        if let last, last >= wanted { return false }
        // The daily file has one day: it is enough when the weekday before it is there.
        let before = EuroRate.newestDay(at: now.adding(nanoseconds: -86_400_000_000_000))
        let file = last.map { $0 >= before } ?? false ? "eurofxref-daily.xml" : "eurofxref-hist.xml"
        let answer = try await client.get(
            "\(address)/\(file)", timeout: .seconds(60), maximumBytes: 64 << 20)
        guard answer.status == 200 else { throw RateProblem.refused(answer.status, address) }
        // The history is long, and who stops does not wait for it.
        let rates = try EuroRateFile.parse(answer.body, while: { !Task.isCancelled })
        let stop = Mutex(false)
        try await withTaskCancellationHandler {
            try await database.transaction { session in
                try session.store(rates, from: source, while: { !stop.withLock { $0 } })
            }
        } onCancel: {
            stop.withLock { $0 = true }
        }
        logger.info(
            "Currency rates are fresh", metadata: ["from": "\(address)/\(file)", "rates": "\(rates.count)"])
        return true
    }

    /// Who says the rates: nobody else's are called the bank's.
    private var source: String {
        if address == Self.publicAddress { return "ECB" }
        let host = address.drop { $0 != ":" }.drop { ":/".contains($0) }
        return String(host.prefix { $0 != "/" })
    }
}

/// What the bank said instead of rates.
private enum RateProblem: Error, CustomStringConvertible {
    case refused(Int, String)

    var description: String {
        switch self {
        case .refused(let status, let address): "\(address) answers with \(status)"
        }
    }
}
