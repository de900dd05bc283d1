import Metrics
import Synchronization

/// Counts the connections of each address, so that nobody takes all.
///
/// Behind a trusted proxy all come from its address: what it lets through is its own affair.
final class ConnectionLimit: Sendable {
    private let taken = Mutex<[String: Int]>([:])
    /// Connections of one address.
    private let limit: Int
    private let proxies: TrustedProxies
    private let refused = Counter(label: "gateway_connections_refused_total")

    init(_ configuration: ServerConfiguration) {
        limit = configuration.connectionsPerAddress
        proxies = configuration.proxies
    }

    /// Takes a place, for as long as the connection lives; false when the address has none left.
    func take(_ address: String?) -> Bool {
        guard let address = counted(address) else { return true }
        let isFree = taken.withLock { taken in
            guard taken[address, default: 0] < limit else { return false }
            taken[address, default: 0] += 1
            return true
        }
        if !isFree { refused.increment() }
        return isFree
    }

    /// Gives a place back.
    func leave(_ address: String?) {
        guard let address = counted(address) else { return }
        taken.withLock { taken in
            let rest = taken[address, default: 1] - 1
            taken[address] = rest > 0 ? rest : nil
        }
    }

    /// What a refused client is told.
    var problem: Problem {
        var problem = Problem(
            .unavailable, "one address has at most \(limit) connections at once; close some")
        problem.retryAfter = 5
        return problem
    }

    /// `nil` for who is not counted.
    private func counted(_ address: String?) -> String? {
        guard let address, !proxies.contains(address) else { return nil }
        return AddressBlock.of(address)
    }
}
