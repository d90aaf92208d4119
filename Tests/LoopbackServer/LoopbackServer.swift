// The server the tests talk to.
