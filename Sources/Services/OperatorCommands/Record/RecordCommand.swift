package import ArgumentParser
import Instruments
import Logging
import NIOCore
import NIOPosix
import Recordings
import ServiceLifecycle
import UnixSignals
import Venues
import Web

/// The command `bitpal record VENUE SYMBOL…`.
package struct RecordCommand: AsyncParsableCommand {
    /// How the parser presents it.
    package static let configuration = CommandConfiguration(
        commandName: "record",
        abstract:
            "Records raw frames of a venue into a file that `bitpal normalize` and venue-simulator read.")

    @Argument(help: "One of \(VenueNames.list).")
    var venue: String

    @Argument(help: "Symbols in the venue's own spelling.")
    var symbols: [String]

    @Option(name: [.short, .long], help: "The file to write; it must not exist.")
    var output: String

    @Option(help: "How long to record; without it until Ctrl-C.")
    var seconds: Int?

    @Option(help: "Kinds of data, separated by commas: \(FeedChannels.list).", transform: FeedChannels.parse)
    var channels: [String] = FeedChannels.standard

    @Option(help: ArgumentHelp("Another WebSocket address, such as ws://127.0.0.1:7430.", valueName: "url"))
    var webSocket: String?

    @Option(help: ArgumentHelp("Another REST address, such as http://127.0.0.1:7430.", valueName: "url"))
    var rest: String?

    /// An unconfigured command, for the parser.
    package init() {}

    /// Checks what the parser cannot.
    ///
    /// - Throws: A usage error.
    package func validate() throws {
        try VenueNames.check(venue)
        if let seconds, !(1...604_800).contains(seconds) {
            throw ValidationError("--seconds is \(seconds); it must be 1 to 604800 (a week)")
        }
        if symbols.contains("") { throw ValidationError("a symbol is empty") }
    }

    /// Records until the time is over, or until Ctrl-C.
    ///
    /// - Throws: ``CommandFailure``; status 4 when the venue could not be reached at all.
    package func run() async throws {
        guard !FileCheck.exists(output) else {
            throw CommandFailure(.failed, "\(output) exists already; choose another file")
        }
        let recorder = try recorder()
        var group = ServiceGroupConfiguration(
            services: [.init(service: recorder, successTerminationBehavior: .gracefullyShutdownGroup)],
            gracefulShutdownSignals: [.sigterm, .sigint], logger: .silent)
        group.maximumGracefulShutdownDuration = .seconds(3)
        try await ServiceGroup(configuration: group).run()
        let (records, lastError) = await recorder.outcome
        if let fault = await recorder.fault { throw fault }
        if records == 0 {
            throw CommandFailure(
                .unreachable,
                "nothing came from \(venue)\(lastError.map { ": \($0)" } ?? ""); is it reachable?")
        }
        try StandardOutput.say("\(records) records of \(venue) in \(output)")
    }

    private func recorder() throws -> VenueRecorder {
        var configuration = VenueConfiguration(try VenueNames.check(venue))
        let wanted = Set(channels.compactMap(VenueChannel.init(rawValue:)))
        configuration.subscriptions = symbols.map { ($0, wanted) }
        if let webSocket {
            configuration.webSocketURL = webSocket
        } else if let closure = configuration.description.closure {
            throw CommandFailure(
                .unreachable,
                "\(closure.explanation(of: configuration.venue)); --web-socket names another address")
        }
        if let rest { configuration.restURL = rest }
        let header = RecordingHeader(
            venue: configuration.venue, started: .now,
            source: "bitpal record \(venue) \(symbols.joined(separator: " "))",
            licence: "the venue's terms of use")
        do throws(RecordingError) {
            return VenueRecorder(
                configuration, writer: try RecordingWriter(path: output, header: header),
                limit: seconds.map { .seconds($0) }, loop: MultiThreadedEventLoopGroup.singleton.next())
        } catch {
            throw CommandFailure(.failed, error.description)
        }
    }
}
