import ArgumentParser
import BookBuilding
import Instruments
import Operations
import OperatorCommands
import Recordings
import VenueSimulation
import Venues

/// Where the market comes from.
enum Profile: String, CaseIterable, Sendable, ExpressibleByArgument {
    /// The built-in simulator: no internet.
    case demo
    /// The venues' public addresses.
    case live
}

/// The command `bitpal up`: everything in one process.
struct UpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "up", abstract: "Runs everything in this process until Ctrl-C.",
        discussion: """
            The demo plays a built-in synthetic market, or recordings. The database is a private \
            PostgreSQL in the data directory unless BITPAL_DATABASE_URL is set. Exit status: 0 stopped, \
            70 failed, 78 a port in use, no PostgreSQL or wrong configuration.
            """)

    @Option(help: "demo: the built-in simulator; live: the venues' public addresses.")
    var profile = Profile.demo

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Recordings to play in the demo, at most one a venue.", valueName: "file"))
    var recording: [String] = []

    @Option(help: "How fast the demo plays: 1 to 1000 times, or max. Default: 1.")
    var speed: String?

    @Flag(help: "Begin again at the end of a recording.")
    var loop = false

    @Flag(
        help:
            "live: try again which venues answer from here, as the first start does."
    )
    var tryVenues = false

    @Option(
        help: ArgumentHelp(
            "Where data is kept. Default: $XDG_DATA_HOME/bitpal, or ~/.local/share/bitpal.",
            valueName: "directory"))
    var dataDir: String?

    @Option(
        help: ArgumentHelp(
            "Where the page and the API are served, or off. Default: 127.0.0.1:8080.",
            valueName: "address:port"))
    var http: String?

    @Flag(help: "Show a live book in this terminal; log lines go to bitpal.log in the data directory.")
    var watch = false

    @Argument(
        help: ArgumentHelp("With --watch: whose book, such as kraken:BTC/USD.", valueName: "VENUE:SYMBOL"))
    var instrument: String?

    func validate() throws {
        if profile == .live, !recording.isEmpty || speed != nil || loop {
            throw ValidationError(
                "--recording, --speed and --loop are for the demo; the live profile has none")
        }
        if profile == .demo, tryVenues {
            throw ValidationError("--try-venues is for the live profile; the demo brings its venues")
        }
        if let speed, PlaybackSpeed(speed) == nil {
            throw ValidationError("--speed is \"\(speed)\"; expected 1 to 1000, or max")
        }
        if let http, http != "off", NetworkAddress(http) == nil {
            throw ValidationError("--http is \"\(http)\"; expected ADDRESS:PORT, or off")
        }
        guard let instrument else { return }
        guard watch else { throw ValidationError("\"\(instrument)\" needs --watch before it") }
        guard let id = InstrumentID(instrument), VenueCatalogue.standard[id.venue] != nil else {
            throw ValidationError(
                "\"\(instrument)\" is no instrument; expected VENUE:SYMBOL with one of the venues "
                    + VenueCatalogue.standard.list)
        }
    }

    func run() async throws {
        try UpCommand.check(recording)
        let plan = UpPlan(
            profile: profile, recordings: recording, speed: speed, loops: loop,
            triesVenues: tryVenues, dataDirectory: AbsolutePath.of(dataDir ?? DataDirectory.standard),
            http: http == "off" ? nil : http, servesHTTP: http != "off", watches: watch,
            watched: instrument.flatMap { InstrumentID($0) })
        await ServiceProcess.run("up", arguments: []) { process in
            try await Composition(plan: plan, process: process).services()
        }
    }

    /// A broken recording is said before anything starts, and a second one of a venue: its instruments would
    /// be followed twice under one name.
    private static func check(_ paths: [String]) throws {
        var taken: [Venue: String] = [:]
        for path in paths {
            let survey: VenueSurvey
            do {
                survey = try VenueSurvey.read(path: path)
            } catch {
                throw CommandFailure(.failed, "\(error)")
            }
            if let other = taken.updateValue(path, forKey: survey.venue) {
                throw CommandFailure(
                    .usage,
                    "--recording: \(other) and \(path) are both of \(survey.venue); at most one a venue")
            }
        }
    }
}
