import { type ClientHttp2Session, connect, constants } from 'node:http2'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { z } from 'zod'
import { internalError } from '../../../functions/core/errors.ts'
import { type AgentFacts, agentProtocol } from '../../../functions/core/records/agent-protocol.ts'
import { cutWhenSilent, isPeerAlive, type PingTimes } from '../../agent/liveness.ts'
import { nonBlockingDuplex } from '../../agent/non-blocking-duplex.ts'
import { fitWindow } from '../../agent/window.ts'
import { refuseSession } from './refuse.ts'
import { socketOf } from './stream-socket.ts'

/** Milliseconds for the agent to answer a request to itself. */
const askDeadline = 10_000
/** Bytes of an agent's answer: its facts or a certificate request, each about a kilobyte. */
const answerMax = 64 * 1024

const ShortText = z.string().transform((text) => text.replace(/\p{C}/gu, '').slice(0, 255))
/** Reported by an agent, so it is cut and cleaned before it is stored, logged and shown. */
const Facts = z.object({
  version: ShortText,
  hostname: ShortText,
  instance: ShortText.optional(),
  container: z
    .string()
    .regex(/^(?:[0-9a-f]{64}|none|unknown)$/)
    .catch('unknown')
    .optional(),
  replaceable: z.boolean().optional(),
  givenUp: ShortText.optional(),
})
/** Milliseconds that an agent has to show that it is alive. */
const proofTime = 3_000
/** Milliseconds to open a stream to its Docker socket. */
const openDeadline = 10_000

/**
 * Targets behind an agent: its Docker socket, its machine's resource usage as JSON, and what takes
 * a new version of its program.
 */
export const reachables = ['docker', 'gauges', 'program'] as const
export type Reachable = (typeof reachables)[number]

/** A live connection of one agent. */
export interface AgentConnection {
  readonly hostId: string
  /** Opens a byte stream to a target. Rejects if that takes longer than 10 s. */
  open(what?: Reachable): Promise<Socket>
  facts(): Promise<AgentFacts>
  /**
   * Makes the agent generate a key. `sign` turns its request into a certificate, which the agent
   * stores. Both are PEM.
   */
  renew(sign: (request: string) => Promise<string>): Promise<void>
  /** Asks the agent for a sign of life. Resolves within 3 s. */
  isAlive(): Promise<boolean>
  /** Closes the connection and sends the agent the reason. */
  refuse(reason: string): void
  /** Closes the connection; its streams end. */
  close(): void
  readonly ended: Promise<void>
}

/**
 * Takes over an agent's connection: the service is the HTTP/2 client on it. A dead connection is
 * closed.
 */
export function agentConnection(
  hostId: string,
  socket: TLSSocket,
  pingTimes?: PingTimes,
): AgentConnection {
  const wire = nonBlockingDuplex(socket)
  const session = connect('http://agent', {
    createConnection: () => wire,
    maxSessionMemory: agentProtocol.sessionMemory,
    settings: { initialWindowSize: agentProtocol.streamWindow, enablePush: false },
    peerMaxConcurrentStreams: agentProtocol.streams,
  })
  session.on('error', () => {})
  session.once('connect', () => fitWindow(session, socket))
  const ended = new Promise<void>((resolve) => session.once('close', () => resolve()))
  socket.once('close', () => session.destroy())
  cutWhenSilent(session, socket, pingTimes)
  return {
    hostId,
    open: (what = 'docker') => openStream(session, what),
    facts: async () => Facts.parse(JSON.parse(await ask(session, 'GET', '/facts'))),
    async renew(sign) {
      const request = await ask(session, 'POST', '/certificate')
      await ask(session, 'PUT', '/certificate', await sign(request))
    },
    isAlive: () => isPeerAlive(session, socket, proofTime),
    refuse: (reason) => refuseSession(session, socket, reason),
    close() {
      session.destroy()
      socket.destroy()
    },
    ended,
  }
}

function openStream(session: ClientHttp2Session, what: Reachable): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const gone = (cause?: unknown) =>
      reject(internalError('the connection of its agent ended', { reason: 'host-offline', cause }))
    if (session.destroyed || session.closed) return gone()
    const stream = session.request({ ':method': 'CONNECT', ':authority': what })
    const timer = setTimeout(() => {
      stream.close(constants.NGHTTP2_CANCEL)
      reject(internalError('its agent does not respond', { reason: 'host-offline' }))
    }, openDeadline)
    stream.once('error', gone)
    stream.once('close', () => {
      clearTimeout(timer)
      gone()
    })
    stream.once('response', (headers) => {
      clearTimeout(timer)
      if (headers[':status'] === 200) {
        stream.off('error', gone)
        stream.on('error', () => {})
        resolve(socketOf(stream))
      } else {
        stream.close(constants.NGHTTP2_CANCEL)
        reject(
          internalError('its agent cannot reach the Docker Engine there', {
            reason: 'engine-failed',
          }),
        )
      }
    })
  })
}

/** Sends one request to the agent itself. Rejects with the agent's message if it refuses. */
function ask(session: ClientHttp2Session, method: string, path: string, body?: string) {
  return new Promise<string>((resolve, reject) => {
    if (session.destroyed || session.closed) return reject(new Error('the connection ended'))
    const stream = session.request(
      { ':method': method, ':path': path },
      { endStream: body === undefined },
    )
    // Not a timeout of the stream, which an agent that sends a byte now and then would postpone.
    const late = setTimeout(() => {
      reject(new Error('the agent did not respond in time'))
      stream.close(constants.NGHTTP2_CANCEL)
    }, askDeadline)
    let status = 0
    const chunks: Buffer[] = []
    let bytes = 0
    stream.once('response', (headers) => {
      status = headers[':status'] ?? 0
    })
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      chunks.push(chunk)
      if (bytes <= answerMax) return
      reject(new Error('the response of the agent is too large'))
      stream.close(constants.NGHTTP2_CANCEL)
    })
    stream.once('error', reject)
    stream.once('close', () => {
      clearTimeout(late)
      const text = Buffer.concat(chunks).toString('utf8')
      if (status >= 200 && status < 300) resolve(text)
      else
        reject(
          new Error(
            text || status ? `the agent responded with ${status}` : 'the agent sent no status',
          ),
        )
    })
    if (body !== undefined) stream.end(Buffer.from(body))
  })
}
