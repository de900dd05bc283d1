package import Instruments
package import Store

/// A pair of assets on a venue.
package struct ListedPair: Hashable, Sendable {
    package var venue: Venue
    /// What is traded.
    package var base: Asset
    /// What the price is in.
    package var quote: Asset
}

/// An instrument with its number: one that was stored later has a higher one.
package struct Listing: Hashable, Sendable {
    package var number: Int64
    /// What is listed.
    package var instrument: InstrumentID
    /// What is traded.
    package var base: Asset
    /// What the price is in.
    package var quote: Asset
    /// When the venue said of it what is stored.
    package var time: Timestamp
}

extension Session {
    /// The venues of which instruments are stored, and what they trade against what: each pair of assets
    /// once.
    package func pairs() throws(StoreError) -> [ListedPair] {
        try rows(
            "SELECT DISTINCT venue, base, quote FROM market.instrument ORDER BY venue, base, quote"
        ) { row in
            ListedPair(
                venue: Venue(rawValue: try row.text()), base: Asset(rawValue: try row.text()),
                quote: Asset(rawValue: try row.text()))
        }
    }

    /// What a venue lists that was stored after a number; 0 for all of it.
    ///
    /// Numbers are taken before their rows can be seen: between ``lockInstruments()`` and the end of its
    /// transaction no lower one is still to come.
    package func listings(on venue: Venue, after number: Int64) throws(StoreError) -> [Listing] {
        try rows(
            """
            SELECT instrument_id::bigint, venue, symbol, base, quote, updated_at FROM market.instrument
            WHERE venue = \(venue.rawValue) AND instrument_id > \(number) ORDER BY instrument_id
            """
        ) { row in
            Listing(
                number: try row.int64(), instrument: try row.instrumentID(),
                base: Asset(rawValue: try row.text()), quote: Asset(rawValue: try row.text()),
                time: try row.time())
        }
    }

    /// Waits until nobody is storing instruments, and keeps it so until the transaction ends.
    ///
    /// By the owner's function where services have roles: to lock a table takes a right to change it.
    package func lockInstruments() throws(StoreError) {
        try script(
            """
            DO $$
            BEGIN
                IF to_regprocedure('market.lock_instruments()') IS NULL THEN
                    LOCK TABLE market.instrument IN SHARE MODE;
                ELSE
                    PERFORM market.lock_instruments();
                END IF;
            END
            $$
            """)
    }
}
