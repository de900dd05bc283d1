/// What one venue allows to its connections, and how many of them are held and opened.
///
/// It bounds how many instruments of the venue can be followed at all: ``VenueDescription/mostInstruments``.
/// The numbers are below what the venue publishes, so that a few are left to whoever else uses the address.
package struct ConnectionBounds: Hashable, Sendable {
    /// Topics that are subscribed to on one connection, such that they can be subscribed to at once.
    package var topics: Int
    /// Parts that what is followed is spread over at most, each with a session and connections of its own.
    package var parts: Int
    /// How often a connection is opened, whichever part it is of.
    package let opening: RequestLimit
    /// How often a message is sent; `nil` where the venue does not count them.
    package var messages: MessageLimit?
    /// Topics that the mark price and the state of one derivative need together.
    package var derivativeTopics = 1
    /// How long a connection lasts until the venue ends it, whole seconds; `nil` where it ends none by age.
    ///
    /// Before that another takes over: ``RotatingSession``.
    package var lifetime: Duration?
}

/// How often a venue takes a message.
package struct MessageLimit: Hashable, Sendable {
    package let rate: RequestLimit
    /// Whether all connections of an address are counted together, and not each.
    package var isOfAddress = false
}

extension VenueDescription {
    /// Topics that channels of one instrument need at most.
    ///
    /// One for each, also where several come with one; what the venue does not tell needs none.
    ///
    /// - Parameter channels: What is wanted of it.
    /// - Returns: How much room it takes on a connection.
    package func topics(of channels: Set<VenueChannel>) -> Int {
        let plain: Set<VenueChannel> = [.book, .trade, .ticker, .candle]
        var count = channels.intersection(plain).count
        let saysState = saysMarkPrices || !derivatives.isEmpty
        if saysState, channels.contains(.mark) || channels.contains(.derivative) {
            count += connections.derivativeTopics
        }
        if derivatives.contains(.liquidations), channels.contains(.liquidation) { count += 1 }
        return count
    }

    /// Instruments that can be followed at most, with whatever channels.
    package var mostInstruments: Int {
        connections.parts * (connections.topics / topics(of: Set(VenueChannel.allCases)))
    }
}
