"""The process beside others: its settings, its pace at Discord and the limits on its way there, what Discord's
refusals mean, whether it still carries its shards, its end."""
