package import Instruments

/// Everything that the rest of Bitpal asks of a venue, as a value.
///
/// A venue is a folder that holds one of these, and a line in ``VenueCatalogue``. What has no value here is
/// what a newcomer may leave out; everything else it has to say, so that nothing of another venue is taken
/// for its own.
package struct VenueDescription: Sendable {
    // MARK: Name and addresses

    /// The name that recordings, topics and commands use.
    package let venue: Venue
    /// Address of the public WebSocket interface without a path.
    package let webSocketURL: String
    /// Address of the public REST interface without a path.
    package let restURL: String

    // MARK: Configuration

    /// The scope of its keys, such as `binanceUSDM`.
    package let scope: String
    /// What is followed when nobody says otherwise, in the venue's spelling; at least one.
    package let usualSymbols: [String]
    /// Whether it is connected to when nobody says otherwise; a venue that has closed never is.
    package let isUsual: Bool
    /// That it no longer exists; its protocol is kept for recordings and the simulator.
    package var closure: VenueClosure?
    /// Keys that only it has.
    package var options: [VenueOption] = []

    // MARK: Limits

    /// How often its REST interface is asked, well below its published limits; where it weighs requests, in
    /// its units of weight.
    package let requests: RequestLimit
    /// What a request takes of ``requests``, by its address.
    package var weight: @Sendable (_ url: String) -> Int = { _ in 1 }
    /// How often images of books are asked for.
    package let images: ImageLimit
    /// Topics that one message subscribes to at the most.
    package let topicsPerMessage: Int
    /// What it allows to its connections, and how many of them are held and opened; smaller in tests.
    package var connections: ConnectionBounds

    // MARK: Connection and books

    /// How a connection that is silent is asked whether it lives.
    package let ping: VenuePing
    /// How long a connection may say nothing.
    package var silence = SilenceLimit()
    /// How its WebSocket messages are packed, outside of the WebSocket protocol's own extensions.
    package var compression = VenueCompression.none
    /// What proves its books.
    package let proof: BookProof
    /// Whether the answer to an audit request has every level of the book.
    package let auditsWholeBooks: Bool

    // MARK: Instruments

    /// Whether it says mark prices of its derivatives, and its session reads them.
    package let saysMarkPrices: Bool
    /// What its session reads of the state of its derivatives, besides mark prices.
    package var derivatives: Set<DerivativeFigure> = []
    /// Whether sizes count contracts, whose worth only its list of instruments tells; elsewhere one is one.
    package let countsContracts: Bool
    /// What stands between base and quote in its symbols; `nil` where they cannot be told apart.
    package var pairSeparator: Character?
    /// How the path of its list of instruments ends, whose answer its session reads.
    package let instrumentList: String

    // MARK: Routes and forms

    /// Its route of past candles; `nil` where there is none.
    package var history: HistoryRoute?
    /// How it tells the prices of all its markets at once; `nil` where it does not.
    package var tickers: (@Sendable (VenueConfiguration) -> TickerRoute)?
    /// How it writes what it says, by the first byte of a message, of an object by that of its first key.
    ///
    /// `nil` asks for what all of them share.
    package let wording: @Sendable (_ firstByte: UInt8?) -> VenueWording
    /// Makes the session that speaks its protocol.
    package let makeSession: @Sendable (VenueConfiguration) -> any VenueSession
}

/// The end of a venue.
package struct VenueClosure: Hashable, Sendable {
    /// Since when nobody answers there, such as `2026-09-23`.
    package let day: String

    /// Why its public addresses are not asked, in one line for a person.
    ///
    /// - Parameter venue: Which it is.
    /// - Returns: Words without a full stop.
    package func explanation(of venue: Venue) -> String {
        "\(venue) closed on \(day); only recordings and the simulator speak as it does"
    }
}

/// A key of the configuration that only one venue has.
package struct VenueOption: Hashable, Sendable {
    /// Its name under the venue's scope.
    package let name: String
    /// What it may be.
    package let words: [String]
    /// What it is when nobody says otherwise, one of the words.
    package let standard: String
    /// One line for a person.
    package let summary: String
}

/// How often a REST interface is asked.
package struct RequestLimit: Hashable, Sendable {
    /// Requests at once.
    package let capacity: Int
    /// Nanoseconds after which one more may be sent.
    package let refillEvery: Int64
}

/// How often images of books are asked for.
package struct ImageLimit: Hashable, Sendable {
    /// Images a second in the long run.
    let perSecond: Int64
    /// Images at once.
    let burst: Int64
}

/// How a connection that is silent is asked whether it lives.
package enum VenuePing: Hashable, Sendable {
    /// By a message, whose answer the session sees.
    case message
    /// By a ping frame, whose answer ends in the connection: the session takes it for silence.
    case frame
}

/// How a venue packs its WebSocket messages; a session gets them unpacked, and so does a recording.
package enum VenueCompression: Hashable, Sendable {
    /// Text as it is.
    case none
    /// A gzip file in each binary message.
    case gzip
    /// A raw deflate stream in each binary message.
    case deflate
}

/// What proves that a book is the venue's.
package enum BookProof: Hashable, Sendable {
    /// Changes are numbered: a lost one shows with the next.
    case sequence
    /// Changes come with a checksum of so many best levels a side.
    case checksum(levels: Int)
    /// Nothing: what does not contradict itself only an audit finds.
    case nothing
}
