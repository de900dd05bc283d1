// FeedIngestion
