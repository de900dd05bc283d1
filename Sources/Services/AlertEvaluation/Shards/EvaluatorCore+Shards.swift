import Alerting
import AlertStore
import Instruments
import MarketState
import MarketStore
import Wire

extension EvaluatorCore {
    /// Takes note of the leases that are held: what is lost is forgotten.
    ///
    /// - Returns: Shards that are to be read.
    mutating func hold(_ claims: LeaseClaims) -> [Shard: Int64] {
        var wanted: [Shard: Int64] = [:]
        for shard in Shard.all {
            let epoch = claims.epochs[shard]
            guard let held = shards[shard]?.leaseEpoch else {
                if let epoch { wanted[shard] = epoch }
                continue
            }
            switch epoch {
            case held?: break
            // Taken again by us when it was over, and by nobody in between.
            case held + 1:
                shards[shard]?.leaseEpoch = held + 1
                queue.prolong(shard, epoch: held + 1)
            case let other?:
                drop(shard)
                wanted[shard] = other
            case nil: drop(shard)
            }
        }
        return isStopped ? [:] : wanted
    }

    /// Forgets a shard: somebody else has it, or it is read again.
    mutating func drop(_ shard: Shard) {
        guard let dropped = shards[shard] else { return }
        queue.drop(shard)
        for index in dropped.followers { leave(index) }
        shards[shard] = nil
    }

    /// Drops a shard that could not be committed, unless it was read again since.
    mutating func end(_ shard: Shard, epoch: Int64) {
        if shards[shard]?.leaseEpoch == epoch { drop(shard) }
    }

    /// Begins to evaluate a shard.
    mutating func adopt(_ loaded: LoadedShard, at now: Timestamp) {
        guard shards[loaded.shard] == nil else { return }
        if loaded.isStateLost { counts.lostStates &+= 1 }
        shards[loaded.shard] = ShardEvaluator(loaded, limits: limits)
        queue.open(loaded.shard, epoch: loaded.leaseEpoch, after: loaded.number)
        var known: [StoredRule] = []
        var new: [StoredRule] = []
        for rule in loaded.rules {
            if loaded.state != nil, rule.change <= loaded.stateChange {
                known.append(rule)
            } else {
                new.append(rule)
            }
        }
        for rule in known { shards[loaded.shard]?.rules[rule.rule.id] = rule }
        admit(known, to: loaded.shard, at: now)
        if var state = loaded.state {
            // What was believed is to be proven again; that alone is no news to anybody.
            for index in state.feeds.indices { state.feeds[index].isProven = false }
            shards[loaded.shard]?.engine.restore(state)
            // What greeting a restored rule said was said before.
            shards[loaded.shard]?.output.removeAll()
            for rule in known { follow(rule, state.tapes, isKnown: true, at: now) }
        }
        // Where there was a state that cannot be read, nobody knows what fired: rules begin now.
        // In the order of their making, so that none is put before another one by one.
        for rule in new.sorted(by: { $0.updated < $1.updated }) {
            enter(rule, madeAt: loaded.isStateLost ? now : rule.updated, at: now)
        }
        flush(at: now)
    }

    /// What owners did, and who became one, in the order of the changes.
    mutating func change(_ rules: [StoredRule], upTo change: Int64, at now: Timestamp) {
        flush(at: now)
        for rule in rules {
            let id = rule.rule.id
            for place in shards.indices {
                guard let known = shards[place]?.rules[id], rule.isNews(to: known) else { continue }
                let stays = place == Int(rule.shard.rawValue) && rule.isActive
                if stays, rule.rule.decides(like: known.rule), known.isActive {
                    shards[place]?.rules[id] = rule
                } else {
                    forget(known, place)
                }
            }
            guard rule.isActive, let shard = shards[rule.shard], shard.rules[id] == nil else { continue }
            // A shard that was read later knows it, or that it has ended since.
            if rule.change > shard.ruleChange { enter(rule, madeAt: rule.updated, at: now) }
        }
        for place in shards.indices {
            guard let known = shards[place]?.ruleChange, known < change else { continue }
            shards[place]?.ruleChange = change
            shards[place]?.isDirty = true
        }
        flush(at: now)
    }

    /// The last change that all shards take into account.
    var knownChange: Int64? { shards.compactMap { $0?.ruleChange }.min() }

    private mutating func forget(_ rule: StoredRule, _ place: Int) {
        shards[place]?.forget(rule.rule.id)
        guard let id = rule.rule.subject, let index = places[id] else { return }
        followers[index].rules.remove(rule.rule.id)
        followers[index].late.removeAll { $0.id == rule.id }
        if followers[index].rules.isEmpty { leave(index) }
    }

    // MARK: - Entering

    /// Enters a rule that the state does not know: when the tape has come to the time of its making.
    private mutating func enter(_ rule: StoredRule, madeAt made: Timestamp, at now: Timestamp) {
        shards[rule.shard]?.rules[rule.rule.id] = rule
        shards[rule.shard]?.welcome(rule.rule, at: now)
        guard let id = rule.rule.subject else { return admit(rule, at: now) }
        var rule = rule
        rule.updated = made
        follow(rule, [], isKnown: false, at: now)
        guard let index = places[id] else { return }
        if let interval = rule.rule.interval {
            pendingRequests.read(.warmth(index, id, interval: interval, rule: rule.rule.id))
            return
        }
        guard followers[index].phase != .live, rule.rule.needsTape else { return admit(rule, at: now) }
        // Nearly always at the end.
        let before = followers[index].late.lastIndex { $0.updated <= made }
        followers[index].late.insert(rule, at: before.map { $0 + 1 } ?? 0)
        readTape(index, at: now)
    }

    /// Lets the engine have many rules.
    mutating func admit(_ rules: [StoredRule], to shard: Shard, at now: Timestamp) {
        for zone in Set(rules.compactMap(\.rule.active?.timeZone)) { resolve(zone, for: shard) }
        guard var evaluator = shards[shard] else { return }
        // Out of the array, so that nothing of it is copied.
        shards[shard] = nil
        counts.refusedRules &+= UInt64(evaluator.enter(rules, at: now))
        shards[shard] = evaluator
    }

    private mutating func resolve(_ zone: String, for shard: Shard) {
        if let offsets = pendingRequests.zone(zone) { shards[shard]?.engine.resolve(offsets) }
    }

    /// Lets the engine have a rule.
    mutating func admit(_ rule: StoredRule, at now: Timestamp) {
        if let zone = rule.rule.active?.timeZone { resolve(zone, for: rule.shard) }
        do throws(AlertEngineError) {
            try shards[rule.shard]?.enter(rule, at: now)
        } catch {
            counts.refusedRules &+= 1
        }
    }

    /// Sees to it that the data of a rule comes.
    private mutating func follow(
        _ rule: StoredRule, _ tapes: [EngineState.Tape], isKnown: Bool, at now: Timestamp
    ) {
        guard let id = rule.rule.subject, let market = shards[rule.shard]?.engine.market(id) else {
            return
        }
        let index =
            places[id] ?? place(id, market, rule.shard, tapes.first { $0.instrument == id }, at: now)
        followers[index].rules.insert(rule.rule.id)
        if id.isTraded {
            subscribe(index, to: rule, isKnown: isKnown)
        } else {
            subscribe(index, toReferenceOf: rule)
        }
    }

    private mutating func place(
        _ id: InstrumentID, _ market: MarketHandle, _ shard: Shard, _ tape: EngineState.Tape?,
        at now: Timestamp
    ) -> Int {
        nextGeneration += 1 << 32
        let follower = EvaluationProgress(id, market, shard, tape: tape, generation: nextGeneration, at: now)
        let index = free.popLast() ?? followers.count
        if index < followers.count { followers[index] = follower } else { followers.append(follower) }
        places[id] = index
        shards[follower.shard]?.followers.append(index)
        kinds.removeAll(keepingCapacity: true)
        return index
    }

    private mutating func subscribe(_ index: Int, to rule: StoredRule, isKnown: Bool) {
        let id = followers[index].id
        // Those of every rule, with the first of them.
        var topics: [String] = []
        if followers[index].prefixes.isEmpty {
            topics = [
                Topic.trade(id), Topic.tradesStored(id), Topic.bookTop(id), Topic.feedStatus(id.venue),
            ]
        }
        switch rule.rule.condition.input {
        case .levels: topics.append(Topic.bookDepth(id))
        case .closes(let interval):
            topics.append(Topic.candle(interval: CandleInterval.name(of: interval), id))
            if followers[index].closes[interval] == nil {
                followers[index].closes[interval] = CandleProgress()
                // Of a rule that saw none yet nothing was missed; a new one is warmed up first.
                followers[index].closes[interval]?.isWhole = isKnown
            }
            readCloses(index, interval)
        case .price(.index): subscribeIndex(index, &topics)
        case .price(.mark): topics.append(Topic.mark(id))
        case .derivative: topics.append(Topic.derivative(id))
        case .price, .trades, .spread, .feed, .figure, .listings: break
        }
        subscribe(index, to: topics)
    }

    /// Of what no venue trades.
    private mutating func subscribe(_ index: Int, toReferenceOf rule: StoredRule) {
        var topics: [String] = []
        switch rule.rule.condition.input {
        case .figure(let id, _):
            valued[id, default: []].insert(index)
            topics.append(Topic.portfolioValuation(id))
        case .listings(let venue):
            let first = min(followers[index].listedFrom ?? rule.updated, rule.updated)
            followers[index].listedFrom = first
            topics.append(Topic.feedStatus(venue))
        default: subscribeIndex(index, &topics)
        }
        subscribe(index, to: topics)
    }

    mutating func subscribe(_ index: Int, to topics: [String]) {
        let new = topics.filter { followers[index].prefixes.insert($0).inserted }
        guard !new.isEmpty else { return }
        kinds.removeAll(keepingCapacity: true)
        let fresh = new.filter { !Self.isShared($0) || shared.insert($0).inserted }
        // What is followed already is confirmed already, and said again only when it changes.
        let old = new.filter { !fresh.contains($0) && !$0.hasPrefix("feed.") }
        if !old.isEmpty { pendingRequests.requestState(old) }
        guard !fresh.isEmpty else { return }
        awaitsConfirmation = true
        pendingRequests.subscribe(fresh)
    }

    mutating func subscribeIndex(_ index: Int, _ topics: inout [String]) {
        let id = followers[index].id
        guard let pair = id.venue == .index ? Topic.escape(id.symbol) : pairs[id] else {
            lacksPair.insert(index)
            return
        }
        topics.append("index.\(pair).")
        indexed[pair, default: []].insert(index)
    }

    /// Nothing looks at an instrument any more.
    private mutating func leave(_ index: Int) {
        let follower = followers[index]
        guard places[follower.id] == index else { return }
        places[follower.id] = nil
        followers[index].rules = []
        followers[index].late = []
        followers[index].lose()
        shards[follower.shard]?.followers.removeAll { $0 == index }
        for pair in indexed.keys { indexed[pair]?.remove(index) }
        for id in valued.keys { valued[id]?.remove(index) }
        free.append(index)
        kinds.removeAll(keepingCapacity: true)
        pendingRequests.unsubscribe(follower.prefixes.filter { !Self.isShared($0) }.sorted())
    }

    /// Whether a topic is of a venue, a pair or a portfolio, and not of one instrument alone.
    private static func isShared(_ topic: String) -> Bool {
        ["feed.", "index.", "portfolio."].contains { topic.hasPrefix($0) }
    }
}

extension StoredRule {
    /// Whether its owner changed it since it was read, or it has another owner.
    fileprivate func isNews(to known: StoredRule) -> Bool {
        version > known.version || version == known.version && user != known.user
    }
}
