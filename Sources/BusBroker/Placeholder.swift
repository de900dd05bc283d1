// BusBroker
