package import Instruments
package import Venues
package import Web

/// Asks venues once whether they answer from here: one request each, all at the same time.
package struct VenueTrial: Sendable {
    private let http: HTTPClient
    private let limit: Duration
    private let clock: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - limit: How long a venue may take to answer.
    ///   - proxies: Those by which it is reached later.
    ///   - clock: The time of day.
    package init(
        limit: Duration = .seconds(10), proxies: WebProxies = WebProxies(),
        clock: @escaping @Sendable () -> Timestamp
    ) {
        self.limit = limit
        self.clock = clock
        http = HTTPClient(configuration: HTTPClientConfiguration(proxies: proxies))
    }

    /// What each venue answers.
    package func run(_ venues: [VenueConfiguration]) async -> [Venue: VenueAnswer] {
        await withTaskGroup(of: (Venue, VenueAnswer).self) { group in
            for venue in venues { group.addTask { (venue.venue, await ask(venue)) } }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    /// The first request of the venue's own session: mostly its list of instruments.
    private func ask(_ venue: VenueConfiguration) async -> VenueAnswer {
        var session = venue.makeSession()
        var output = VenueOutput()
        session.start(at: clock(), into: &output)
        let requests = output.actions.compactMap { action -> VenueRequest? in
            if case .request(let request) = action { request } else { nil }
        }
        guard let request = requests.first else { return .answers }
        do throws(WebError) {
            let response = try await send(request)
            output.removeAll()
            let malformed = output.counters.malformed
            response.body.withUnsafeBytes {
                session.responded(
                    to: request, status: response.status, body: $0, at: clock(), into: &output)
            }
            let isReadable = output.counters.malformed == malformed
            return VenueAnswer(status: response.status, isReadable: isReadable)
        } catch {
            return VenueAnswer(error)
        }
    }

    private func send(_ request: VenueRequest) async throws(WebError) -> HTTPResponse {
        guard let body = request.body else { return try await http.get(request.url, timeout: limit) }
        return try await http.send(
            "POST", request.url, headers: [("Content-Type", "application/json")], body: Array(body.utf8),
            timeout: limit)
    }
}
