import Instruments
import Venues
import Web

/// What to do about the answer to a request, or about none.
enum RequestStep: Hashable, Sendable {
    /// Hand it to the session.
    case deliver
    /// Ask again; the whole venue pauses for so many nanoseconds first.
    case again(pause: Int64)
}

/// Decides whether a request is repeated.
struct RequestPlan: Sendable {
    private let attempts: Int
    private var made = 0
    /// Nanoseconds.
    private static let second: Int64 = 1_000_000_000

    init(_ purpose: VenueRequest.Purpose) {
        // A session decides itself when to ask for an image or a figure again; everything else is asked for
        // only once by it.
        switch purpose {
        case .bookSnapshot, .openInterest: attempts = 1
        case .instruments, .connection: attempts = 8
        case .audit, .trades: attempts = 4
        }
    }

    /// After an answer with a status; 0 is no answer.
    mutating func next(status: Int, retryAfter: Duration?) -> RequestStep {
        made += 1
        let asked = retryAfter?.wholeNanoseconds ?? 0
        let step: RequestStep
        switch status {
        // Source: Binance "Limits": 429 breaks a limit, 418 is a ban for not having stopped; read 2026-11.
        case 429: step = .again(pause: max(asked, 10 * Self.second))
        case 403, 418: step = .again(pause: max(asked, 60 * Self.second))
        case 0, 500...599: step = .again(pause: asked)
        default: return .deliver
        }
        return made >= attempts ? .deliver : step
    }

    /// The pause that the venue is owed even when the request is not repeated.
    static func ban(status: Int, retryAfter: Duration?) -> Int64 {
        let asked = retryAfter?.wholeNanoseconds ?? 0
        switch status {
        case 429: return max(asked, 10 * second)
        case 403, 418: return max(asked, 60 * second)
        default: return 0
        }
    }
}
