"""Types of the responses of version 1, and the functions that make them from the services' views.

A module per noun. Types change only with the version of the API, however pages and views change.
"""
