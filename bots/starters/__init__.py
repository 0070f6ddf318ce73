"""A bot to start from for each game: the file that authors download, change and upload."""
