// Threads
