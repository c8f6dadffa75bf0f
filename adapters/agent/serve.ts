import { createServer, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import { connect, type NetConnectOpts } from 'node:net'
import { finished } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { boundedText } from '../../functions/core/bounded-text.ts'
import { ignoreResult } from '../../functions/core/promises.ts'
import { type AgentFacts, agentProtocol } from '../../functions/core/records/agent-protocol.ts'
import { readGauges } from './gauges.ts'
import { cutWhenSilent, type PingTimes } from './liveness.ts'
import { nonBlockingDuplex } from './non-blocking-duplex.ts'
import { fitWindow } from './window.ts'

/** The requests of the service that an agent fulfils. */
export interface AgentDuties {
  /** The address of the Docker socket. */
  docker: NetConnectOpts
  /** Asked when a connection begins. */
  facts(): AgentFacts
  /** Makes a new key and returns its certificate signing request. */
  requestCertificate(): Promise<string>
  /**
   * Stores the certificate for the key that was made last. Throws if it does not match that key.
   */
  keepCertificate(certificate: string): Promise<void>
  /** Takes a new version of the program from a stream. Missing if it cannot be replaced. */
  takeProgram?(stream: ServerHttp2Stream): Promise<void>
}

const certificateBytes = 64 * 1024

/**
 * Serves the agent's side of the protocol until the connection ends. Resolves with the reason, if
 * the service sent one. Cuts the connection after the idle timeout of the protocol.
 */
export function serveConnection(
  socket: TLSSocket,
  duties: AgentDuties,
  pingTimes?: PingTimes,
): Promise<string | undefined> {
  let reason: string | undefined
  const server = createServer({
    maxSessionMemory: agentProtocol.sessionMemory,
    settings: {
      initialWindowSize: agentProtocol.streamWindow,
      maxConcurrentStreams: agentProtocol.streams,
    },
  })
  server.on('session', (session: ServerHttp2Session) => {
    fitWindow(session, socket)
    session.on('error', () => {})
    session.on('goaway', (_code, _last, data) => {
      if (data?.length) reason = Buffer.from(data).toString('utf8').slice(0, 200)
    })
    cutWhenSilent(session, socket, pingTimes)
  })
  server.on('stream', (stream: ServerHttp2Stream, headers) => {
    stream.on('error', () => {})
    if (headers[':method'] === 'CONNECT' && headers[':authority'] === 'gauges') {
      void sendGauges(stream, duties.docker)
    } else if (headers[':method'] === 'CONNECT' && headers[':authority'] === 'program') {
      ignoreResult(takeProgram(stream, duties))
    } else if (headers[':method'] === 'CONNECT') handOver(stream, duties.docker)
    else void answer(stream, `${headers[':method']} ${headers[':path']}`, duties)
  })
  server.on('sessionError', () => {})
  socket.on('error', () => {})
  const ended = new Promise<string | undefined>((resolve) => {
    socket.once('close', () => resolve(reason))
  })
  server.emit('connection', nonBlockingDuplex(socket))
  return ended
}

/**
 * Pipes bytes in both directions. When one direction ends, it is ended on the other side too; the
 * other direction continues.
 */
function handOver(stream: ServerHttp2Stream, docker: NetConnectOpts): void {
  const socket = connect({ ...docker, allowHalfOpen: true })
  socket.once('connect', () => {
    if (!isOpen(stream)) return void socket.destroy()
    stream.respond({ ':status': 200 })
    stream.pipe(socket)
    socket.pipe(stream)
  })
  socket.once('error', () => {
    if (!isOpen(stream)) return
    if (stream.headersSent) stream.close(2)
    else stream.respond({ ':status': 502 }, { endStream: true })
  })
  // Only after an error: on a clean end the pipe has ended the other side, which may still have
  // data to send.
  finished(stream, (error) => error && socket.destroy())
  finished(socket, (error) => error && stream.headersSent && stream.close(2))
}

async function sendGauges(stream: ServerHttp2Stream, docker: NetConnectOpts) {
  stream.on('data', () => {})
  try {
    reply(stream, 200, JSON.stringify(await readGauges(docker)))
  } catch (error) {
    reply(stream, 500, (error as Error).message)
  }
}

/** Answers with an empty text once a new version is being tried, otherwise with the reason. */
async function takeProgram(stream: ServerHttp2Stream, duties: AgentDuties) {
  if (!duties.takeProgram) return reply(stream, 404)
  stream.respond({ ':status': 200 })
  const problem = await duties.takeProgram(stream).then(
    () => '',
    (error: Error) => error.message,
  )
  if (isOpen(stream)) stream.end(problem)
}

async function answer(stream: ServerHttp2Stream, what: string, duties: AgentDuties) {
  try {
    if (what === 'GET /facts') return reply(stream, 200, JSON.stringify(duties.facts()))
    if (what === 'POST /certificate') return reply(stream, 200, await duties.requestCertificate())
    if (what === 'PUT /certificate') {
      await duties.keepCertificate(await read(stream, certificateBytes))
      return reply(stream, 204)
    }
    reply(stream, 404)
  } catch (error) {
    reply(stream, 500, (error as Error).message)
  }
}

function reply(stream: ServerHttp2Stream, status: number, text = ''): void {
  // A stream that the service reset is closed before it is destroyed; responding to it throws.
  if (!isOpen(stream) || stream.headersSent) return
  stream.respond({ ':status': status })
  stream.end(Buffer.from(text))
}

const isOpen = (stream: ServerHttp2Stream) => !stream.destroyed && !stream.closed

const read = (stream: ServerHttp2Stream, limit: number) =>
  boundedText(stream, limit, 'the body is too large')
