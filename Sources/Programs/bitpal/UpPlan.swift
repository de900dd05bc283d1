import Glibc
import Instruments

/// What `bitpal up` was asked to do.
struct UpPlan: Sendable {
    var profile: Profile
    /// For the demo; none plays the synthetic market.
    var recordings: [String]
    /// As the simulator's setting has it; `nil` for its own default.
    var speed: String?
    var loops: Bool
    /// Whether all venues of the live profile are tried, those as well that were tried before.
    var triesVenues: Bool
    /// An absolute path.
    var dataDirectory: String
    /// Where the gateway listens; `nil` as its own settings say.
    var http: String?
    /// Whether there is a gateway.
    var servesHTTP: Bool
    var watches: Bool
    /// `nil` for the first instrument that there is.
    var watched: InstrumentID?
}

/// Paths that mean the same wherever they are read.
enum AbsolutePath {
    static func of(_ path: String) -> String {
        guard !path.hasPrefix("/") else { return path }
        guard let current = getcwd(nil, 0) else { return path }
        defer { free(current) }
        return String(cString: current) + "/" + path
    }
}
