import Instruments
import Recordings
import Venues

/// What a simulator plays: recordings or, without one, the synthetic market.
struct SimulatorSource {
    let surveys: [VenueSurvey]
    private let sources: [any EntrySource]
    private let configuration: VenueSimulatorConfiguration

    init(_ configuration: VenueSimulatorConfiguration, started: Timestamp) throws {
        self.configuration = configuration
        guard !configuration.recordings.isEmpty else {
            let wanted = configuration.venues
            surveys = VenueSurvey.synthetic(seed: configuration.seed, started: started).filter {
                wanted.isEmpty || wanted.contains($0.venue)
            }
            sources = surveys.map { survey in
                SyntheticMarket(
                    venue: survey.venue, seed: configuration.seed, started: started,
                    interval: configuration.interval)
            }
            return
        }
        var surveys: [VenueSurvey] = []
        var sources: [any EntrySource] = []
        for (position, path) in configuration.recordings.enumerated() {
            let survey = try VenueSurvey.read(path: path)
            let twin = surveys.firstIndex {
                $0.venue == survey.venue && $0.options == survey.options
            }
            if let twin {
                throw SimulationError.sameVenueTwice(
                    survey.venue, first: configuration.recordings[twin],
                    second: configuration.recordings[position])
            }
            surveys.append(survey)
            sources.append(try FileSource(path: path))
        }
        self.surveys = surveys
        self.sources = sources
    }

    func playbacks() -> [Playback] {
        zip(surveys, sources).map { survey, source in
            Playback(
                survey.script, source: source, speed: configuration.speed, loops: configuration.loops,
                patience: configuration.patience)
        }
    }
}
