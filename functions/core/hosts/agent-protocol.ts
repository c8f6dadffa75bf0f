/**
 * What the service and its agents agree on. The agent dials port 8443 with TLS 1.3 and its certificate, and then serves
 * HTTP/2 on that connection: the service is the one that asks.
 *
 * | request | what the agent does |
 * |---|---|
 * | `CONNECT docker` | hands the stream's bytes to its Docker socket, both ways, each way ended on its own |
 * | `CONNECT gauges` | writes what its machine uses as one JSON text, and ends the stream |
 * | `GET /facts` | answers `{version, hostname}` |
 * | `POST /certificate` | makes a new key and answers a signing request for it (PEM) |
 * | `PUT /certificate` | keeps the certificate sent (PEM) with that key, for the next connection |
 */
export const agentProtocol = {
  /** The name in ALPN: whoever does not offer it is no agent. */
  alpn: 'container-stacks-agent/1',
  /** The name in the service's certificate, whatever address the agent dials. */
  serverName: 'container-stacks.internal',
  /** Bytes that one stream may have under way: at 50 ms of round trip, 4 MiB are 80 MiB a second. */
  streamWindow: 4 * 1024 ** 2,
  /** Bytes that a connection may have under way, all its streams together: on a slow line, and on a fast one. */
  connectionWindowMin: 128 * 1024,
  connectionWindow: 16 * 1024 ** 2,
  /** Megabytes that a connection may hold: Node's own limit would refuse streams while some are not read. */
  sessionMemory: 1024,
  /** Streams at once: each call to the Engine that is under way is one. */
  streams: 4096,
  /** Milliseconds between two questions for a sign of life. Both sides ask. */
  ping: 5_000,
  /** Milliseconds after which a connection is dead over which nothing came. */
  silence: 20_000,
} as const

/** What an agent says of itself. */
export interface AgentFacts {
  version: string
  hostname: string
}
