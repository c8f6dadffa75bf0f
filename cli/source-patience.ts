/**
 * How long the client waits for a request that reads a source. The service waits 5 minutes each for
 * what the source has now and for its files, and 20 seconds for another look. Milliseconds.
 */
export const sourcePatience = 650_000
