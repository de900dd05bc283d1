import Instruments
import MarketData

/// What a book message says besides its levels.
struct LinkedBookHeader {
    /// Whether its levels are the whole book.
    var isImage: Bool
    /// The venue's number of the message.
    var sequence: Int64?
    /// The number of the message before it.
    var previous: Int64?
    /// Of the best levels after it, as far as the venue still says one.
    var checksum: UInt32?
    var venueTime: Timestamp?
}

/// Books whose changes name the message before them, or carry a checksum of the best levels, or both.
///
/// 1. The first message after a subscription is the image; a later image replaces the book.
/// 2. A change that names a message before it is applied if that is the last one applied. Numbers need not be
///   next to each other and may go down after maintenance; a change without levels is a sign of life.
/// 3. A checksum other than 0 is compared after each message. Venues that have given it up send 0 or none.
/// 4. A change that has neither proves nothing, and costs the book as much as one that contradicts it.
/// 5. A book belongs to the connection and the channel that its image came on: what another one says of it is
///   not believed, but for the image of a deeper channel.
struct LinkedBooks: Sendable {
    /// What belongs to one book besides its levels.
    struct Link: Sendable {
        /// The number of the last message, where the venue numbers them.
        var sequence: Int64?
        /// Where the image came from.
        var connection = -1
        /// The channel that the image came on.
        var stream: BookChannel?
        var texts = SentLevelTexts()
    }

    private(set) var links: [Link] = []
    /// The texts of the levels of one message.
    var sent: [SentLevelTexts.Level] = []

    /// Makes room for instruments.
    mutating func grow(to count: Int) {
        while links.count < count { links.append(Link()) }
    }

    /// Throws a book away; its image is asked for when it is due.
    mutating func lose(
        _ index: InstrumentIndex, _ reason: BookStateReason, _ detail: String, in core: inout SessionCore,
        at time: Timestamp, into output: inout VenueOutput
    ) {
        forget(index)
        core.lose(index, reason, detail, at: time, into: &output)
    }

    /// Forgets what belongs to a book that is gone.
    mutating func forget(_ index: InstrumentIndex) {
        guard index.offset < links.count else { return }
        links[index.offset].sequence = nil
        links[index.offset].connection = -1
        links[index.offset].stream = nil
        links[index.offset].texts.removeAll()
    }

    /// Where a message came from and when, and whose book it is about.
    struct Origin {
        var index: InstrumentIndex
        var connection: Int
        var stream: BookChannel
        var time: Timestamp
    }

    /// Whether a message may be about the book as it is.
    private func believes(_ origin: Origin, isImage: Bool, _ core: borrowing SessionCore) -> Bool {
        guard core.trackers[origin.index.offset].isFollowing else { return isImage }
        let link = links[origin.index.offset]
        guard let stream = link.stream, stream != origin.stream else {
            return isImage || link.connection == origin.connection
        }
        return isImage && origin.stream.depth > stream.depth
    }

    /// Reads `{"asks":[…],"bids":[…],…}` and applies it.
    mutating func read(
        _ scanner: inout JSONScanner, isImage: Bool, from origin: Origin, in core: inout SessionCore,
        into output: inout VenueOutput
    ) throws(ScanError) {
        let body = scanner.index
        let start = output.levels.count
        let index = origin.index
        // Each turn adds places, of which there are at most 18 for prices and 18 for sizes.
        for _ in 0...36 {
            scanner.index = body
            sent.removeAll(keepingCapacity: true)
            var header = LinkedBookHeader(isImage: isImage)
            do throws(ScanError) {
                try readElement(&scanner, &header, core.forms[index.offset], into: &output.levels)
            } catch {
                output.levels.removeLast(output.levels.count - start)
                guard core.refine(index, after: error) else { throw error }
                continue
            }
            links[index.offset].texts.align(to: core.scales(of: index).price)
            guard believes(origin, isImage: isImage, core) else {
                return output.levels.removeLast(output.levels.count - start)
            }
            if isImage {
                return takeImage(header, from: origin, levels: start, in: &core, into: &output)
            }
            return try takeChange(header, from: origin, levels: start, in: &core, into: &output)
        }
        throw .malformed
    }

    // MARK: - Applying

    private mutating func takeImage(
        _ header: LinkedBookHeader, from origin: Origin, levels start: Int, in core: inout SessionCore,
        into output: inout VenueOutput
    ) {
        let index = origin.index
        forget(index)
        links[index.offset].sequence = header.sequence
        links[index.offset].connection = origin.connection
        links[index.offset].stream = origin.stream
        var sides: (bids: [BookLevel], asks: [BookLevel]) = ([], [])
        for change in output.levels[start...] where change.size.rawValue > 0 {
            let level = BookLevel(price: change.price, size: change.size)
            if change.side == .bid { sides.bids.append(level) } else { sides.asks.append(level) }
        }
        core.trackers[index.offset].book.replace(bids: sides.bids, asks: sides.asks)
        note(index, levels: start, of: output)
        output.levels.removeLast(output.levels.count - start)
        guard isRight(header, index, core, into: &output) else {
            return lose(
                index, .checksumMismatch, "the image is not the venue's", in: &core, at: origin.time,
                into: &output)
        }
        core.trackers[index.offset].publishSnapshot(
            venueTime: header.venueTime, at: origin.time, into: &output)
    }

    private mutating func takeChange(
        _ header: LinkedBookHeader, from origin: Origin, levels start: Int, in core: inout SessionCore,
        into output: inout VenueOutput
    ) throws(ScanError) {
        let index = origin.index
        let last = links[index.offset].sequence
        if let last, let previous = header.previous, previous != last {
            output.levels.removeLast(output.levels.count - start)
            output.counters.gaps &+= 1
            return lose(
                index, .sequenceGap, "expected \(last), received \(previous)", in: &core, at: origin.time,
                into: &output)
        }
        let isLinked = last != nil && header.previous != nil && header.sequence != nil
        guard isLinked || header.checksum != nil else {
            output.levels.removeLast(output.levels.count - start)
            throw .malformed
        }
        core.trackers[index.offset].book.apply(output.levels.span.extracting(start..<output.levels.count))
        note(index, levels: start, of: output)
        links[index.offset].sequence = header.sequence ?? last
        guard isRight(header, index, core, into: &output) else {
            output.levels.removeLast(output.levels.count - start)
            return lose(
                index, .checksumMismatch, "the best levels are not the venue's", in: &core, at: origin.time,
                into: &output)
        }
        let isStuck = core.trackers[index.offset].publishDelta(
            from: start, venueTime: header.venueTime, at: origin.time, into: &output)
        if isStuck {
            lose(index, .crossed, "crossed for two messages", in: &core, at: origin.time, into: &output)
        }
    }

    private mutating func note(_ index: InstrumentIndex, levels start: Int, of output: borrowing VenueOutput)
    {
        for (place, text) in sent.enumerated() {
            links[index.offset].texts.note(output.levels[start + place], text)
        }
    }

    private func isRight(
        _ header: LinkedBookHeader, _ index: InstrumentIndex, _ core: borrowing SessionCore,
        into output: inout VenueOutput
    ) -> Bool {
        guard let expected = header.checksum else { return true }
        output.counters.checksums &+= 1
        guard links[index.offset].texts.checksum(of: core.trackers[index.offset].book) == expected else {
            return false
        }
        output.counters.checksumsRight &+= 1
        return true
    }
}
