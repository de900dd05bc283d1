import Venues
import Web

extension VenueCompression {
    /// How a connection unpacks the venue's messages; `nil` where they come as text.
    var packing: MessagePacking? {
        switch self {
        case .none: nil
        case .gzip: .gzip
        case .deflate: .deflate
        }
    }
}
