"""What concerns the process: its command line and settings, the rate and timeouts of its requests to Discord, what
Discord's errors mean, its shards, and how it stops."""
