"""The preview: the same bot in a simulated Discord, served as a local web page where one person plays all seats.

SimCord simulates the server and shows one channel at a time. The bar of members and places above it is ours. Only
`bot.py --preview` imports this package, because SimCord is a dependency of development.
"""
