import Bus
import Instruments
import MarketData
import MarketStore
import Wire

extension BuilderCore {
    /// What may be published and stored from here on; `nil` is everything.
    mutating func own(_ claims: LeaseClaims?, at now: Timestamp) {
        guard claims != self.claims else { return }
        self.claims = claims
        for index in board.markets.indices { board.own(index, epoch: epoch(of: board.markets[index].id)) }
        for offset in bookEpochs.indices {
            let index = BookIndex(rawValue: offset)
            let epoch = epoch(of: set[index].id)
            if epoch == bookEpochs[offset] { continue }
            bookEpochs[offset] = epoch
            toldDepths[offset] = nil
            if epoch > 0 { set.publish(index, at: now) }
        }
        settle(at: now)
    }

    /// Instruments of which something is stored: those that are ours are read, and told, before any trade.
    mutating func meet(_ ids: [InstrumentID]) {
        for id in ids { _ = board.index(of: id, epoch: epoch(of: id)) }
    }

    /// What a venue said of an instrument's candles.
    mutating func take(_ answer: CandleRequests.Answer, at now: Timestamp) {
        board.take(answer.candles, to: answer.question, of: answer.index, at: now)
        board.settle()
        settle(at: now)
    }

    func epoch(of id: InstrumentID) -> Int64 {
        reads == nil ? 1 : claims?.epochs[Shard(of: id)] ?? 0
    }

    mutating func tellDepths() {
        for index in set.takeChanged() {
            guard bookEpochs[index.rawValue] > 0, let topics = topics[index.rawValue] else { continue }
            var depth = Bitpal_V1_BookDepth(set[index].replica)
            if let told = toldDepths[index.rawValue], told.says(the: depth) { continue }
            if let position = set[index].replica.position { depth.at = .init(position) }
            batch.append(.bookDepth(set[index].id, depth), to: topics.depth)
            toldDepths[index.rawValue] = depth
        }
    }

    mutating func settle(at now: Timestamp) {
        for output in set.outputs {
            switch output {
            case .top(let index, let top):
                guard bookEpochs[index.rawValue] > 0, let topics = topics[index.rawValue] else { continue }
                batch.append(.bookTop(set[index].id, top), to: topics.top)
            case .snapshot(let index, let snapshot):
                guard bookEpochs[index.rawValue] > 0, let topics = topics[index.rawValue] else { continue }
                batch.append(.bookSnapshot(set[index].id, snapshot), to: topics.snapshot)
            case .archive(let index, let snapshot):
                if bookEpochs[index.rawValue] > 0 { archive?.offer(snapshot, of: set[index].id) }
            case .request(let index):
                let id = set[index].id
                requests += [Topic.bookSnapshot(id), Topic.bookDelta(id)]
            }
        }
        set.outputs.removeAll(keepingCapacity: true)
        for output in board.outputs {
            switch output {
            case .candle(let index, let candle):
                market.publish(candle, of: board.markets[index].id, index, at: now, into: &batch)
            case .store(let index, let closed):
                candles?.offer(closed, of: board.markets[index].id, epoch: board.epochs[index])
            case .read(let request): reads?.offer(request)
            case .mend(let index, let question):
                let id = board.markets[index].id
                mends?.offer(
                    CandleRequests.Request(
                        index: index, id: id, instrument: market.instruments[id], question: question))
            }
        }
        board.outputs.removeAll(keepingCapacity: true)
        if !requests.isEmpty {
            requestState(requests)
            requests.removeAll(keepingCapacity: true)
        }
        if !batch.isEmpty {
            let count = batch.count
            if !publisher.offer(&batch) {
                refused &+= UInt64(count)
                isOwing = true
            }
        }
    }
}
