import Instruments
import MarketData
import Venues
import Wire

extension VenueFeed {
    /// A book that is being fetched again is explained for so many nanoseconds.
    private static var patience: Int64 { 10_000_000_000 }
    /// A connection that brings nothing for so long is silent.
    var silenceLimit: Duration { parts.configuration.description.silence.whole }

    /// What the feed can say about itself now.
    func figures(at now: Timestamp) -> FeedFigures {
        var figures = FeedFigures()
        let counting = countingLinks
        let up = counting.filter(\.isUp)
        figures.connectedSince = up.map(\.openedAt).max() ?? .zero
        figures.lastReceived = counting.map(\.lastReceived).max() ?? .zero
        if !isConnected {
            figures.state =
                status.reconnects == 0 && figures.lastReceived == .zero ? .connecting : .disconnected
        } else {
            // Answers to ping frames count: a venue without anything to say is alive all the same.
            let isSilent =
                now.nanoseconds(since: figures.lastReceived) > silenceLimit.wholeNanoseconds
                && !connections.values.contains(where: answersPingFrames)
            figures.state = isSilent ? .silent : .live
        }
        figures.messages = output.counters.messages
        figures.malformed = output.counters.malformed
        figures.resyncs = output.counters.resyncs
        countBooks(&figures, at: now)
        figures.reconnects = status.reconnects
        figures.detail = status.detail
        figures.ban = parts.gate.banWords(at: now)
        // Trades that are being fetched after a gap count as one a tape: nobody knows how many there are.
        figures.tradesHeld = backfill.openCount + backfill.heldCount
        return figures
    }

    private func countBooks(_ figures: inout FeedFigures, at now: Timestamp) {
        let streams = composer.streams
        while status.notLiveSince.count < streams.count { status.notLiveSince.append(now) }
        for (symbol, channels) in parts.configuration.subscriptions where channels.contains(.book) {
            figures.booksTotal += 1
            guard let index = session.registry.find(symbol), index.offset < streams.count else { continue }
            let stream = streams[index.offset]
            if stream.state == .live {
                figures.booksLive += 1
                status.notLiveSince[index.offset] = nil
                continue
            }
            let since = status.notLiveSince[index.offset] ?? now
            status.notLiveSince[index.offset] = since
            if now.nanoseconds(since: since) > Self.patience {
                figures.unexplained.append("\(symbol) \(stream.state.name) (\(stream.reason.name))")
            }
        }
    }
}
