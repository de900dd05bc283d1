import CZeroMQ
import Threads

/// What can go wrong between this process and the bus.
public enum BusError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Another process listens at the address.
    case addressInUse(String)
    /// The address is none that the bus can use.
    case addressInvalid(String, reason: String)
    /// The address can be reached from other machines, and the traffic would be in the clear.
    case insecureAddress(String)
    /// A file of keys, or a folder of them, that cannot be used.
    case keysInvalid(path: String, reason: String)
    /// Nothing shows that the address refuses whom the broker does not know.
    case openToStrangers(String, reason: String)
    /// Not a topic: it must be 1...255 bytes and end in a dot.
    case malformedTopic(String)
    /// A publisher has as many topics as it may have.
    case tooManyTopics(limit: Int)
    /// The broker did not answer with its state in time.
    case stateUnavailable(address: String, seconds: Double)
    /// The context was ended while it was still needed.
    case contextEnded
    /// A call of ZeroMQ failed; `code` is its error number.
    case socketFailed(operation: String, code: Int32)

    /// What the caller should do.
    public enum Disposition: Hashable, Sendable {
        /// Try again after so many seconds.
        case retry(afterSeconds: Int)
        /// Nothing gets better by itself.
        case fatal
    }

    /// What the caller should do.
    public var disposition: Disposition {
        switch self {
        case .stateUnavailable: .retry(afterSeconds: 1)
        default: .fatal
        }
    }

    /// Whether a person must change the configuration before the program can run: exit status 78.
    public var isConfiguration: Bool {
        switch self {
        case .addressInUse, .addressInvalid, .insecureAddress, .keysInvalid, .openToStrangers: true
        default: false
        }
    }

    /// One line that says what to do.
    public var description: String {
        switch self {
        case .addressInUse(let address):
            "bus address \(address) is in use by another process; stop that process or choose another address"
        case .addressInvalid(let address, let reason):
            "bus address \(address) cannot be used: \(reason); expected something like tcp://127.0.0.1:7411"
        case .insecureAddress(let address):
            "bus address \(address) is not on loopback and would be unencrypted; make keys with"
                + " `bitpal keys init` and name the broker's with BITPAL_BUS_KEY_FILE, or bind to 127.0.0.1"
        case .keysInvalid(let path, let reason):
            "keys of the bus: \(path) cannot be used: \(reason)"
        case .openToStrangers(let address, let reason):
            "bus address \(address) could not be shown to refuse an unknown key (\(reason)), so it is closed"
        case .malformedTopic(let topic):
            "\"\(topic.prefix(80))\" is not a topic: a topic has 1...255 bytes and ends in a dot"
        case .tooManyTopics(let limit):
            "a publisher may have \(limit) topics and has them"
        case .stateUnavailable(let address, let seconds):
            "the bus did not answer at \(address) within \(seconds) s; is bus-broker (or bitpal up) running?"
        case .contextEnded:
            "the bus context has ended"
        case .socketFailed(let operation, let code):
            "\(operation) failed with ZeroMQ error \(code)"
        }
    }
}

extension BusError {
    /// What a failed call of ZeroMQ means.
    package static func failed(_ operation: String, _ code: Int32) -> BusError {
        code == ETERM ? .contextEnded : .socketFailed(operation: operation, code: code)
    }

    static func wrap<Value>(_ body: () throws(ThreadError) -> Value) throws(BusError) -> Value {
        do {
            return try body()
        } catch {
            switch error {
            case .noDescriptor(let code): throw .socketFailed(operation: "eventfd", code: code)
            }
        }
    }
}
