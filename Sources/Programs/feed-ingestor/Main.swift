import FeedIngestion
import Operations

/// The process that takes in venues' data; everything it does is in `FeedIngestion`.
@main
enum FeedIngestorMain {
    static func main() async {
        await ServiceProcess.run("feed-ingestor", keys: FeedIngestionConfiguration.keys) { process in
            try await FeedIngestion.services(of: process)
        }
    }
}
