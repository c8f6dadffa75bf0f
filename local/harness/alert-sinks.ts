import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import { type Dialer, openOutbound } from '../../adapters/net/outbound.ts'
import { makeAuthority, parseAuthority } from '../../adapters/node/keys/certificates.ts'
import { systemClock } from '../../adapters/node/process/clock.ts'
import { parseOutboundRules } from '../../functions/core/net/outbound-rules.ts'
import { agentProtocol } from '../../functions/core/records/agent-protocol.ts'

/** A request that a sink received. */
export interface Received {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/**
 * Starts an HTTP receiver that records requests. It responds with 204 unless `answer` is replaced.
 */
export async function httpSink(port = 0) {
  const received: Received[] = []
  const sink = {
    received,
    url: '',
    port: 0,
    answer: (response: ServerResponse, _received: Received): void => {
      response.writeHead(204).end()
    },
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
    async [Symbol.asyncDispose]() {
      await sink.close()
    },
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = '', url: path = '', headers } = request
    const one = { method, path, headers, body: Buffer.concat(chunks).toString() }
    received.push(one)
    sink.answer(response, one)
  })
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  sink.port = (server.address() as AddressInfo).port
  sink.url = `http://127.0.0.1:${sink.port}`
  return sink
}

/** A mail that the server accepted. */
export interface Mail {
  from: string
  to: string[]
  text: string
  user: string | undefined
  encrypted: boolean
}

/** The host name in the mail server's certificate. */
export const mailHost: string = agentProtocol.serverName

/**
 * Starts a real mail server with one user on this machine, and returns a dialer that resolves its
 * name.
 */
export async function mailSink({ secure = false, refuses = '', hidden = [] as string[] } = {}) {
  const authority = await parseAuthority(await makeAuthority(systemClock), systemClock)
  const { key, certificate } = await authority.certifyServer()
  const mails: Mail[] = []
  const server = new SMTPServer({
    secure,
    key,
    cert: certificate,
    authOptional: true,
    disabledCommands: hidden,
    onAuth({ username, password }, _session, done) {
      const good = username === 'ops' && password === 'pass word'
      done(good ? null : new Error('no'), good ? { user: username } : undefined)
    },
    onRcptTo({ address }, _session, done) {
      done(address === refuses ? new Error('not here') : null)
    },
    onData(stream, session: SMTPServerSession, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        mails.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          text: Buffer.concat(chunks).toString(),
          user: session.user as string | undefined,
          encrypted: session.secure,
        })
        done()
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.server.address() as AddressInfo
  const dialer: Dialer = openOutbound(parseOutboundRules(`127.0.0.1:${port}`), async () => [
    { address: '127.0.0.1', family: 4 },
  ])
  return {
    mails,
    port,
    dialer,
    ca: authority.pem,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((done) => server.close(() => done()))
    },
  }
}
