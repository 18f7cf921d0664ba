"""The JSON API under `/api/v1`: stable names, bounded work, problems as RFC 9457 objects. One subject, one module."""
