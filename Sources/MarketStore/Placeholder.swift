// MarketStore
