// VenueSimulation
