"""The docs as a site: pages of HTML and Markdown, a search and llms.txt, served at /docs and written by `make site`.

Everything is a function of the files of one release. All links are relative, so the pages work at any address and as
files on a disk.
"""
