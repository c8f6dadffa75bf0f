/**
 * The protocol between the service and its agents. The agent dials port 8443 with TLS 1.3 and its
 * certificate, and then serves HTTP/2 on that connection: the service sends the requests.
 *
 * | request | what the agent does |
 * |---|---|
 * | `CONNECT docker` | relays the stream to its Docker socket, with half-close in both directions |
 * | `CONNECT gauges` | writes the resource usage of its machine as JSON and ends the stream |
 * | `CONNECT program` | takes a new version of its program, and tries it; see `replaceable` |
 * | `GET /facts` | returns what is in `AgentFacts` |
 * | `POST /certificate` | creates a new key and returns a signing request for it (PEM) |
 * | `PUT /certificate` | stores the certificate (PEM) with that key, for the next connection |
 */
export const agentProtocol = {
  /** The ALPN protocol name. Connections that do not offer it are not agents. */
  alpn: 'container-stacks-agent/1',
  /** The name in the certificate of the service, whatever address the agent dials. */
  serverName: 'container-stacks.internal',
  /** Flow-control window of a stream in bytes: with a round trip of 50 ms, 4 MiB allow 80 MiB/s. */
  streamWindow: 4 * 1024 ** 2,
  /**
   * Flow-control window of a connection in bytes, for all its streams together: the minimum for a
   * slow line, then the maximum.
   */
  connectionWindowMin: 128 * 1024,
  connectionWindow: 16 * 1024 ** 2,
  /** That window while the round trip is measured. */
  measuringWindow: 64 * 1024,
  /**
   * Megabytes that a session may use. With Node's default limit it refuses streams while others are
   * not read.
   */
  sessionMemory: 1024,
  /** Concurrent streams. Each Engine call in progress uses one. */
  streams: 4096,
  /** Milliseconds between two pings. Both sides send them. */
  ping: 5_000,
  /** Milliseconds without any data after which a connection counts as dead. */
  silence: 20_000,
} as const

/** What an agent reports of itself. */
export interface AgentFacts {
  version: string
  hostname: string
  /** The same as long as the program runs. Earlier versions do not report it. */
  instance?: string | undefined
  /**
   * The ID of its container, `none` or `unknown`, see `OwnContainerId`. Earlier versions do not
   * report it.
   */
  container?: string | undefined
  /**
   * The service can replace its program. Earlier versions do not report it, and would take the
   * stream for one to the Docker socket.
   */
  replaceable?: boolean | undefined
  /** Why it gave up the last new version of its program. Missing if it did not. */
  givenUp?: string | undefined
}
