"""Work that outlives a request: documents being read. Jobs are written down, so that none is lost with the server."""
