"""The library over HTTP: pages for people, a JSON API for programs. Nothing is computed here.

Everything goes through `mathrag.library`; this room knows requests, replies, and whom not to trust.
"""
