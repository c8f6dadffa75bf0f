import { createServer, type IncomingMessage, request } from 'node:http'
import { createServer as createTlsServer, request as requestTls } from 'node:https'
import { type AddressInfo, connect, type Server, createServer as tcpServer } from 'node:net'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { parseOutboundProxies } from '../../functions/core/net/outbound-proxies.ts'
import { parseOutboundRules } from '../../functions/core/net/outbound-rules.ts'
import { getOutbound } from '../../local/harness/outbound.ts'
import { serverCertificate } from '../../local/harness/server-certificate.ts'
import { type Dialer, openOutbound, type Resolved } from './outbound.ts'
import { openTunnel } from './proxy-tunnel.ts'

let certificate: { key: string; cert: string }

beforeAll(async () => {
  certificate = await serverCertificate()
})

/** Listens on a free port of loopback until the test ends, and returns the port. */
async function listening(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** Starts a proxy that connects every name to this port of loopback, and records its requests. */
async function startProxy(to: number, refusal?: number) {
  const asked: string[] = []
  const server = createServer((incoming, outgoing) => {
    asked.push(
      `${incoming.method} ${incoming.url} ${incoming.headers['proxy-authorization'] ?? ''}`,
    )
    outgoing.end('from the proxy')
  })
  server.on('connect', (incoming: IncomingMessage, socket) => {
    asked.push(`CONNECT ${incoming.url} ${incoming.headers['proxy-authorization'] ?? ''}`)
    if (refusal) return socket.end(`HTTP/1.1 ${refusal} No\r\nContent-Length: 0\r\n\r\n`)
    const there = connect(to, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      there.pipe(socket).pipe(there)
    })
    for (const end of [there, socket]) end.on('error', () => {})
  })
  return { port: await listening(server), asked }
}

const proxied = (port: number, more = {}, addresses: Record<string, string> = {}): Dialer =>
  openOutbound(
    parseOutboundRules('127.0.0.1'),
    async (name): Promise<Resolved[]> => {
      const address = addresses[name]
      if (address === undefined) throw Object.assign(new Error('none'), { code: 'ENOTFOUND' })
      return [{ address, family: 4 }]
    },
    parseOutboundProxies({
      HTTPS_PROXY: `http://me:p%40ss@127.0.0.1:${port}`,
      HTTP_PROXY: `http://127.0.0.1:${port}`,
      ...more,
    }),
  )

const credentials = `Basic ${Buffer.from('me:p@ss').toString('base64')}`

test('HTTPS goes through a tunnel, and only the destination reads the request', async () => {
  const seen: (string | undefined)[] = []
  const secure = createTlsServer(certificate, ({ url, headers }, response) => {
    seen.push(url, headers['proxy-authorization'])
    response.end('hello')
  })
  const proxy = await startProxy(await listening(secure))
  const body = await new Promise((resolve, reject) => {
    const agent = proxied(proxy.port).https
    // The certificate is for another name.
    const options = { agent, rejectUnauthorized: false }
    requestTls('https://hooks.example.org:8443/a?b=c', options, async (response) => {
      const parts = await response.toArray()
      resolve(Buffer.concat(parts).toString())
    })
      .on('error', reject)
      .end()
  })
  expect(body).toBe('hello')
  expect(seen).toEqual(['/a?b=c', undefined])
  expect(proxy.asked).toEqual([`CONNECT hooks.example.org:8443 ${credentials}`])
})

test('the certificate of the destination is checked behind a proxy too', async () => {
  const secure = createTlsServer(certificate, (_, response) => response.end('hello'))
  const proxy = await startProxy(await listening(secure))
  const error = await getOutbound(proxied(proxy.port), 'https://hooks.example.org/').catch(
    (it) => it,
  )
  expect(error.code).toMatch(/CERT|ISSUER|SIGNATURE/)
})

test('HTTP names the whole URL to the proxy', async () => {
  const proxy = await startProxy(0)
  const secret = { HTTP_PROXY: `http://me:p%40ss@127.0.0.1:${proxy.port}` }
  const answer = await getOutbound(proxied(proxy.port, secret), 'http://hooks.example.org/a?b=c')
  expect(answer.body.toString()).toBe('from the proxy')
  expect(proxy.asked).toEqual([`GET http://hooks.example.org:80/a?b=c ${credentials}`])
})

test('destinations of NO_PROXY and this machine are reached directly', async () => {
  const proxy = await startProxy(0)
  const direct = createServer(({ url }, response) => response.end(url))
  const port = await listening(direct)
  const dialer = proxied(proxy.port, { NO_PROXY: '.lan' }, { 'nas.lan': '127.0.0.1' })
  for (const host of ['nas.lan', '127.0.0.1']) {
    expect((await getOutbound(dialer, `http://${host}:${port}/own`)).body.toString()).toBe('/own')
  }
  expect(proxy.asked).toEqual([])
})

test('the outbound policy holds behind a proxy, as far as names are known here', async () => {
  const proxy = await startProxy(0)
  const names = { 'metadata.test': '169.254.169.254', 'local.test': '127.0.0.2' }
  const dialer = proxied(proxy.port, {}, names)
  const hosts = ['169.254.169.254', '100.100.100.200', 'metadata.test', 'local.test', '[fe80::1]']
  for (const host of [...hosts, '127.0.0.2', '0x7f.2']) {
    for (const scheme of ['http', 'https']) {
      const error = await getOutbound(dialer, `${scheme}://${host}/`).catch((it) => it)
      expect(error, `${scheme} ${host}`).toMatchObject({ code: 'OUTBOUND_REFUSED' })
    }
  }
  expect(proxy.asked).toEqual([])
})

test.each([
  [407, 'asks for a user name and a password'],
  [403, 'refuses the connection (it responds with 403)'],
  [502, 'refuses the connection (it responds with 502)'],
])('a proxy that responds with %d is named, and not its password', async (status, words) => {
  const { port } = await startProxy(0, status)
  const error = await getOutbound(proxied(port), 'https://hooks.example.org/').catch((it) => it)
  expect(error).toMatchObject({ code: 'PROXY_FAILED' })
  expect(error.message).toBe(`the proxy 127.0.0.1:${port} ${words}`)
})

test('a proxy that is not there is named', async () => {
  const server = tcpServer()
  const port = await listening(server)
  await new Promise((done) => server.close(done))
  for (const scheme of ['http', 'https']) {
    const error = await getOutbound(proxied(port), `${scheme}://hooks.example.org/`).catch(
      (it) => it,
    )
    expect(error.message).toBe(`the proxy 127.0.0.1:${port} cannot be reached (ECONNREFUSED)`)
  }
})

test('a proxy that never answers, or answers with nonsense, ends the request', async () => {
  const silent = await listening(tcpServer(() => {}))
  const tunnel = openTunnel(new URL(`http://127.0.0.1:${silent}`), 'example.org:443', 100)
  await expect(tunnel).rejects.toThrow(`127.0.0.1:${silent} does not answer within 0.1 s`)
  const mad = await listening(tcpServer((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')))
  const error = await getOutbound(proxied(mad), 'https://hooks.example.org/').catch((it) => it)
  expect(error.message).toContain(`the proxy 127.0.0.1:${mad} cannot be reached`)
})

test('a request that was given up while the proxy connects leaves no connection', async () => {
  const held: Promise<void>[] = []
  const server = tcpServer((socket) => {
    held.push(new Promise((gone) => socket.on('error', () => {}).once('close', () => gone())))
    socket.resume()
    setTimeout(() => socket.write('HTTP/1.1 200 OK\r\n\r\n'), 200)
  })
  const port = await listening(server)
  const call = requestTls('https://hooks.example.org/', { agent: proxied(port).https })
  const failed = new Promise((resolve) => call.on('error', resolve))
  call.end()
  setTimeout(() => call.destroy(new Error('given up')), 100)
  await expect(failed).resolves.toMatchObject({ message: 'given up' })
  await Promise.all(held)
  expect(held).toHaveLength(1)
})

test('a request without a host is refused', async () => {
  const { port } = await startProxy(0)
  const error = await new Promise((resolve) => {
    request({ socketPath: '/var/run/docker.sock', agent: proxied(port).http })
      .on('error', resolve)
      .end()
  })
  expect(error).toMatchObject({ code: 'OUTBOUND_REFUSED' })
})
