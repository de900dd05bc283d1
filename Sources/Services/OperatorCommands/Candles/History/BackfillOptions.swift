import ArgumentParser
import Glibc
import Instruments
import Store
import Venues
import Web
import Wire

/// Whether and from where missing candles are fetched.
struct BackfillOptions: ParsableArguments {
    @Flag(name: .customLong("backfill"), help: "First fetch what is missing from the venue.")
    var isWanted = false

    @Option(
        name: .customLong("rest-url"),
        help: ArgumentHelp(
            "The venue's REST interface. Else the one that the running feed uses, or the public one.",
            valueName: "url"))
    var restURL: String?

    func validate() throws {
        guard let restURL else { return }
        guard ["http://", "https://"].contains(where: { restURL.hasPrefix($0) && restURL != $0 }) else {
            throw ValidationError("--rest-url is \"\(restURL)\"; it begins with http:// or https://")
        }
    }

    /// Fetches what is missing of a question's span and stores it.
    ///
    /// - Throws: ``CommandFailure``; what was stored before stays.
    func run(
        _ question: StoredCandleQuery, of instrument: Instrument, into database: Database, _ client: BusClient
    ) async throws {
        var root = restURL
        if root == nil { root = await BackfillOptions.announced(instrument.id.venue, on: client) }
        while root?.hasSuffix("/") == true { root?.removeLast() }
        if root == nil, let closure = VenueCatalogue.standard[instrument.id.venue]?.closure {
            throw CommandFailure(
                .unreachable, "\(closure.explanation(of: instrument.id.venue)); its candles cannot be fetched"
            )
        }
        guard let history = VenueCandleHistory(venue: instrument.id.venue, restURL: root) else {
            throw CommandFailure(.usage, "the history of \(instrument.id.venue) cannot be fetched")
        }
        let http = HTTPClient()
        let environment = BackfillEnvironment(
            now: { .now }, uptime: { Uptime.nanoseconds },
            pause: { try await Task.sleep(for: .nanoseconds($0)) },
            fetch: { url throws(WebError) in
                let response = try await http.get(url)
                return BackfillEnvironment.Answer(
                    status: response.status, body: response.body, retryAfter: response.retryAfter)
            })
        var backfill = try CandleBackfill(
            history, of: instrument, question.interval, into: database, environment: environment)
        let span = question.span.resolve(
            question.interval, end: .now, limit: StoredCandleQuery.usualCount)
        try await backfill.run(span)
    }

    /// The REST interface that the venue's running feed says it uses; `nil` where none runs.
    ///
    /// So that candles of the demo's market come from the demo, never from the real venue.
    static func announced(_ venue: Venue, on client: BusClient) async -> String? {
        guard let state = try? await client.state([Topic.feedStatus(venue)]) else { return nil }
        for case .feedStatus(let status) in state.events.map(\.event) where !status.restURL.isEmpty {
            return status.restURL
        }
        return nil
    }
}

/// The time since some instant, which never goes back.
private enum Uptime {
    static var nanoseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
