import {
  constants,
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2'
import type { Duplex } from 'node:stream'
import { ignoreError } from '../../../functions/core/ignore-error.ts'
import { ignoreResult } from '../../../functions/core/promises.ts'

/**
 * The methods with one request and one response, by path. Each takes the message of a request and
 * returns that of the response, or undefined if what was asked for does not exist.
 */
export type Methods = Readonly<Record<string, (request: Buffer) => Buffer | undefined>>

/** A call with any number of messages in both directions. */
export interface StreamCall {
  headers: IncomingHttpHeaders
  /** The messages of the client. They end or fail if the call breaks off. */
  messages: AsyncIterable<Buffer>
  /** Sends a message. Resolves when more may be sent, and fails if the call broke off. */
  send(message: Buffer): Promise<void>
}

/** The methods with messages in both directions, by path. The call ends with the promise. */
export type StreamMethods = Readonly<Record<string, (call: StreamCall) => Promise<void>>>

/** Status codes of gRPC. */
const codes = { ok: '0', unknown: '2', notFound: '5', unimplemented: '12' }

/**
 * Bytes. The longest message of the client: the name of a secret or of a registry, and a few
 * annotations.
 */
const requestMax = 64 * 1024
/** The most calls at the same time. */
const callsMax = 100
/** Megabytes that a connection may use. */
const memoryMax = 10

/**
 * Serves gRPC calls over a connection that the other side opens as the client. Returns a function
 * that ends the connection. An invalid frame ends it too, and an invalid message only its call.
 */
export function serveCalls(
  connection: Duplex,
  methods: Methods,
  streamMethods: StreamMethods = {},
): () => void {
  const server = createServer({
    maxSessionMemory: memoryMax,
    settings: { maxConcurrentStreams: callsMax },
  })
  connection.on('error', () => connection.destroy())
  server.on('session', (session) => {
    session.on('error', () => connection.destroy())
    session.on('close', () => connection.destroy())
  })
  server.on('stream', (stream, headers) => {
    // The client has reset the call.
    stream.on('error', () => {})
    const path = String(headers[':path'])
    const method = Object.hasOwn(methods, path) ? methods[path] : undefined
    const streamMethod = Object.hasOwn(streamMethods, path) ? streamMethods[path] : undefined
    if (method) readRequest(stream, (request) => respond(stream, method(request)))
    else if (streamMethod)
      ignoreResult(serveStream(stream, headers, streamMethod), 'answer a call of the Engine')
    else refuse(stream, codes.unimplemented)
  })
  server.emit('connection', connection)
  return () => connection.destroy()
}

/** Calls `done` with the message of a request. Resets the call if it is not one short message. */
function readRequest(stream: ServerHttp2Stream, done: (request: Buffer) => void): void {
  const chunks: Buffer[] = []
  let length = 0
  stream.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length <= requestMax) chunks.push(chunk)
    else stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM)
  })
  stream.on('end', () => {
    if (!isOpen(stream)) return
    const message = unframed(Buffer.concat(chunks))
    if (message) done(message)
    else stream.close(constants.NGHTTP2_PROTOCOL_ERROR)
  })
}

/** The length of what precedes a message: whether it is compressed, and its length. */
const prefixLength = 5

function unframed(frame: Buffer): Buffer | undefined {
  if (frame.length < prefixLength || frame[0] !== 0) return undefined
  return frame.readUInt32BE(1) === frame.length - prefixLength
    ? frame.subarray(prefixLength)
    : undefined
}

/** Carries out a call with messages in both directions. */
async function serveStream(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  method: StreamMethods[string],
): Promise<void> {
  let code = codes.ok
  stream.respond(responseHeaders, { waitForTrailers: true })
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': code }))
  const send = (message: Buffer) =>
    new Promise<void>((resolve, reject) => {
      const done = (error?: Error | null) => (error ? reject(error) : resolve())
      stream.write(Buffer.concat([prefixOf(message), message]), done)
    })
  try {
    await method({ headers, messages: messagesOf(stream), send })
  } catch (error) {
    ignored(error)
    code = codes.unknown
  }
  if (isOpen(stream)) stream.end()
}

/** Yields the messages of a stream. Resets the call at a message that is too long. */
async function* messagesOf(stream: ServerHttp2Stream): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0)
  // The call goes on if its messages are not read to their end.
  for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= prefixLength) {
      const end = prefixLength + rest.readUInt32BE(1)
      if (rest[0] !== 0 || end > prefixLength + requestMax) {
        stream.close(constants.NGHTTP2_PROTOCOL_ERROR)
        throw new Error('invalid message')
      }
      if (rest.length < end) break
      yield rest.subarray(prefixLength, end)
      rest = rest.subarray(end)
    }
  }
}

const ignored = ignoreError('carry out a call of the Engine')

function prefixOf(message: Buffer): Buffer {
  const prefix = Buffer.alloc(prefixLength)
  prefix.writeUInt32BE(message.length, 1)
  return prefix
}

function respond(stream: ServerHttp2Stream, message: Buffer | undefined): void {
  if (!message) {
    refuse(stream, codes.notFound)
    return
  }
  stream.respond(responseHeaders, { waitForTrailers: true })
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': codes.ok }))
  stream.write(prefixOf(message))
  // Not joined with the prefix, so that calls for the same secret share its bytes.
  stream.end(message)
}

function refuse(stream: ServerHttp2Stream, code: string): void {
  stream.respond({ ...responseHeaders, 'grpc-status': code }, { endStream: true })
  stream.resume()
}

const responseHeaders = { ':status': 200, 'content-type': 'application/grpc' }

const isOpen = (stream: ServerHttp2Stream) => !stream.destroyed && !stream.closed
