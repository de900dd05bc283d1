// Venues
