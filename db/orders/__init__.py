"""What people have said in advance: its rows, table and queries (`matches/orders`)."""
