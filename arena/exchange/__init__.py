"""Exports: the folder of files that an export is, whatever arena it comes from."""
