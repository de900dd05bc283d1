import Bus

/// One answer about retained state that is being sent, a frame at a time between other work.
struct StateAnswer {
    /// Who asked, as the ROUTER socket names it.
    let peer: [UInt8]
    /// Whether the question came with an empty frame before it, as REQ sockets send it.
    let hasDelimiter: Bool
    /// When it last got on.
    var movedAt: Int64

    private var units: ArraySlice<RetainedStore.Unit>
    private var frames: AnswerFrames
    private var isFinished = false
    private var current: [UInt8]?

    init(
        peer: [UInt8], hasDelimiter: Bool, requestID: UInt64, units: [RetainedStore.Unit], refused: [String],
        now: Int64
    ) {
        self.peer = peer
        self.hasDelimiter = hasDelimiter
        self.units = units[...]
        movedAt = now
        frames = AnswerFrames(requestID: requestID)
        for prefix in refused { frames.appendIncomplete(prefix) }
    }

    /// The frame to send next, made of what is retained now; `nil` when all are sent.
    ///
    /// Books that should be asked for are added to `wanted`.
    mutating func next(from store: inout RetainedStore, now: Int64, wanted: inout [Int]) -> [UInt8]? {
        if let current { return current }
        while frames.isEmpty, let unit = units.popFirst() {
            if let book = store.append(unit, to: &frames, now: now) { wanted.append(book) }
        }
        if frames.isEmpty, !isFinished {
            isFinished = true
            frames.finish()
        }
        current = frames.takeFirst()
        return current
    }

    /// The frame was sent.
    mutating func advance(now: Int64) {
        current = nil
        movedAt = now
    }
}
