"""The process beside others: at what pace it asks Discord, whether it still carries its shards, how it is stopped."""
