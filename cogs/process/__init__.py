"""The process beside others: its settings, its pace at Discord, whether it still carries its shards, its end."""
