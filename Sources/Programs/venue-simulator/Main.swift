import Operations
import VenueSimulation

@main
enum VenueSimulatorMain {
    static func main() async {
        await ServiceProcess.run("venue-simulator", keys: VenueSimulatorConfiguration.keys) { process in
            let configuration = try VenueSimulatorConfiguration(settings: process.settings)
            return [try VenueSimulator(configuration: configuration, process: process)]
        }
    }
}
