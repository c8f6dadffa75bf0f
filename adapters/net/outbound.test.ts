import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import {
  hostProblem,
  normalHost,
  parseOutboundRules,
} from '../../functions/core/net/outbound-rules.ts'
import { parseUrl } from '../../functions/core/url.ts'
import { getOutbound } from '../../local/harness/outbound.ts'
import fc from '../../local/harness/properties.ts'
import { present } from '../testing/present.ts'
import { openOutbound, type Resolved } from './outbound.ts'

/** Starts a server on loopback that records the requests it receives. */
async function listening(answer?: RequestListener) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.headers.host} ${request.url}`)
    if (answer) answer(request, response)
    else response.end('hello')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, asked }
}

/**
 * Returns a resolver for these names. Each lookup returns the next answer; the last one repeats.
 */
function resolver(names: Record<string, string[][]>) {
  const asked: string[] = []
  const resolve = async (name: string): Promise<Resolved[]> => {
    asked.push(name)
    const answers = names[name]
    if (!answers) throw Object.assign(new Error(`ENOTFOUND ${name}`), { code: 'ENOTFOUND' })
    const found = answers.length > 1 ? present(answers.shift()) : present(answers[0])
    return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  }
  return { resolve, asked }
}

test('rejects loopback addresses in every notation', async () => {
  const { port, asked } = await listening()
  const dialer = openOutbound([])
  const hosts = [
    ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1', '017700000001'],
    ...['[::1]', '[::ffff:127.0.0.1]', '[0:0:0:0:0:ffff:7f00:1]', '[::127.0.0.1]', '0', '0.0.0.0'],
    ...['[::]', 'localhost', 'LOCALHOST', 'localhost.', 'a.localhost', '127.0.0.1.', '①②⑦.⓪.⓪.①'],
    ...['user@127.0.0.1', 'example.org@127.0.0.1', 'example.org:80@localhost'],
  ]
  for (const host of hosts) {
    const error = await getOutbound(dialer, `http://${host}:${port}/`).catch((it) => it)
    expect(error, host).toMatchObject({ code: 'OUTBOUND_REFUSED' })
  }
  expect(asked).toEqual([])
})

test('rejects the same addresses for raw sockets, in every notation', async () => {
  const { port } = await listening()
  const dialer = openOutbound([])
  const signal = AbortSignal.timeout(5000)
  for (const host of ['127.0.0.1', '::1', '0x7f.1', '2130706433', '127.1', 'localhost', '0']) {
    const error = await dialer.connect(host, port, signal).catch((it) => it)
    expect(error, host).toMatchObject({ code: 'OUTBOUND_REFUSED' })
  }
})

test('connects to an allowed address only on its port', async () => {
  const [one, other] = [await listening(), await listening()]
  const dialer = openOutbound(parseOutboundRules(`127.0.0.1:${one.port}`))
  expect((await getOutbound(dialer, `http://127.0.0.1:${one.port}/`)).body.toString()).toBe('hello')
  await expect(getOutbound(dialer, `http://127.0.0.1:${other.port}/`)).rejects.toThrow('loopback')
  const socket = await dialer.connect('127.0.0.1', one.port, AbortSignal.timeout(5000))
  expect(socket.remotePort).toBe(one.port)
  socket.destroy()
})

test('survives a connection reset before its first use', async () => {
  const server = createTcpServer((socket) => {
    setTimeout(() => socket.resetAndDestroy(), 20)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  const uncaught: unknown[] = []
  const monitor = (error: unknown) => void uncaught.push(error)
  process.on('uncaughtExceptionMonitor', monitor)
  onTestFinished(() => void process.off('uncaughtExceptionMonitor', monitor))
  const { port } = server.address() as AddressInfo
  const dialer = openOutbound(parseOutboundRules(`127.0.0.1:${port}`))
  const socket = await dialer.connect('127.0.0.1', port, AbortSignal.timeout(5000))
  await new Promise((resolve) => socket.on('close', resolve))
  expect(socket.errored).toMatchObject({ code: 'ECONNRESET' })
  expect(uncaught).toEqual([])
})

test('rejects a name with a forbidden address, even after an allowed one', async () => {
  const { port, asked } = await listening()
  const names = resolver({
    'evil.test': [['127.0.0.1']],
    'metadata.test': [['169.254.169.254']],
    'six.test': [['::1', 'fe80::1', '::ffff:127.0.0.1']],
    'none.test': [[]],
  })
  const dialer = openOutbound([], names.resolve)
  for (const [name, why] of [
    ['evil.test', 'evil.test resolves to a loopback address'],
    ['metadata.test', 'resolves to a link-local address'],
    ['six.test', 'resolves to a loopback address'],
    ['none.test', 'resolves to no address'],
  ]) {
    await expect(getOutbound(dialer, `http://${name}:${port}/`), name).rejects.toThrow(why)
  }
  expect(asked).toEqual([])
})

test('resolves a name once and connects to the address it checked', async () => {
  const { port, asked } = await listening()
  const allowed = parseOutboundRules('127.0.0.1')
  const names = resolver({ 'rebind.test': [['127.0.0.1'], ['127.0.0.2']] })
  const dialer = openOutbound(allowed, names.resolve)
  await getOutbound(dialer, `http://rebind.test:${port}/first`)
  expect(names.asked).toEqual(['rebind.test'])
  expect(asked).toEqual([`rebind.test:${port} /first`])
  // The second answer is another address, and the policy is checked again.
  await expect(getOutbound(dialer, `http://rebind.test:${port}/second`)).rejects.toThrow('loopback')
  expect(asked).toHaveLength(1)
})

test('skips the forbidden ones of several addresses', async () => {
  const { port } = await listening()
  const names = resolver({ 'mixed.test': [['fe80::1', '169.254.169.254', '127.0.0.1']] })
  const dialer = openOutbound(parseOutboundRules('127.0.0.1'), names.resolve)
  expect((await getOutbound(dialer, `http://mixed.test:${port}/`)).status).toBe(200)
})

test('returns a redirect without following it', async () => {
  const inner = await listening()
  const outer = await listening((_request, response) => {
    response.writeHead(302, { Location: `http://127.0.0.1:${inner.port}/` }).end()
  })
  const dialer = openOutbound(parseOutboundRules(`127.0.0.1:${outer.port}`))
  const answer = await getOutbound(dialer, `http://127.0.0.1:${outer.port}/`)
  expect(answer.status).toBe(302)
  expect(inner.asked).toEqual([])
})

test('applies the same checks to TLS', async () => {
  const { port } = await listening()
  const names = resolver({ 'evil.test': [['127.0.0.1']] })
  const dialer = openOutbound([], names.resolve)
  for (const host of ['127.0.0.1', 'evil.test', 'localhost']) {
    const error = await getOutbound(dialer, `https://${host}:${port}/`).catch((it) => it)
    expect(error, host).toMatchObject({ code: 'OUTBOUND_REFUSED' })
  }
})

test('limits the size and the time of a response', async () => {
  const { port } = await listening((request, response) => {
    response.write('x'.repeat(5000))
    if (request.url === '/whole') response.end()
  })
  const dialer = openOutbound(parseOutboundRules('127.0.0.1'))
  const large = await getOutbound(dialer, `http://127.0.0.1:${port}/whole`)
  expect([large.body.length, large.cut]).toEqual([1000, true])
  const slow = await getOutbound(dialer, `http://127.0.0.1:${port}/`, {
    timeout: 300,
    largest: 10_000,
  })
  expect([slow.status, slow.body.length, slow.cut]).toEqual([200, 5000, true])
})

test('times out without a response', async () => {
  const server = createTcpServer(() => {})
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const dialer = openOutbound(parseOutboundRules('127.0.0.1'))
  await expect(getOutbound(dialer, `http://127.0.0.1:${port}/`, { timeout: 200 })).rejects.toThrow(
    'no response within 0.2 s',
  )
  const never = openOutbound([], () => new Promise(() => {}))
  await expect(getOutbound(never, 'http://slow.test/', { timeout: 200 })).rejects.toThrow(
    'no response',
  )
  const connecting = never.connect('slow.test', 80, AbortSignal.timeout(200))
  await expect(connecting).rejects.toMatchObject({ name: 'TimeoutError' })
})

test('rejects a Unix socket', async () => {
  const dialer = openOutbound([])
  const { request } = await import('node:http')
  const error = await new Promise((resolve) => {
    request({ socketPath: '/var/run/docker.sock', agent: dialer.http }).on('error', resolve).end()
  })
  expect(error).toMatchObject({ code: 'OUTBOUND_REFUSED' })
})

const spelledUrls = fc
  .tuple(
    fc.constantFrom('http://', 'http:', 'HTTP:/\\', 'http:\\\\', ' http://', 'ht\ntp://'),
    fc.constantFrom('', 'u@', 'u:p@', 'a.test\\@', 'a.test#@', 'a.test?@', 'a.test:80@', '%40'),
    fc.constantFrom(
      ...[
        '127.0.0.1',
        '127.1',
        '0x7f.1',
        '017700000001',
        '[::1]',
        '[fe80::1%25eth0]',
        '[::1%eth0]',
      ],
      ...['localhost', 'LOCALHOST', 'a.localhost', 'ⓛⓞⓒⓐⓛhost', '127。0。0。1', 'ä.test', 'a.test'],
      ...[
        '[::ffff:7f00:1]',
        'xn--4ca.test',
        'a_b.test',
        'local%68ost',
        'local\thost',
        'a.test\u00ad',
      ],
    ),
    fc.constantFrom('', '.', '..', '\\', '\u3002'),
    fc.constantFrom('', ':', ':080', ':0'),
    fc.constantFrom('', '/', '\\@127.0.0.1/', '/@localhost', '?@127.0.0.1', '#@127.0.0.1'),
  )
  .map((parts) => parts.join(''))

test('dials the host that was judged, however the URL is spelled', async () => {
  const looked: string[] = []
  const dialer = openOutbound([], async (name) => {
    looked.push(name)
    throw Object.assign(new Error(`ENOTFOUND ${name}`), { code: 'ENOTFOUND' })
  })
  await fc.assert(
    fc.asyncProperty(spelledUrls, async (text) => {
      const url = parseUrl(text)
      if (url?.protocol !== 'http:') return
      looked.length = 0
      const judged = hostProblem([], url.hostname, Number(url.port || 80))
      const error = await getOutbound(dialer, text).catch((it) => it)
      if (judged) expect(error).toMatchObject({ code: 'OUTBOUND_REFUSED' })
      expect(new Set(looked.map(normalHost))).toEqual(
        new Set(judged ? [] : [normalHost(url.hostname)]),
      )
    }),
    { numRuns: 2000 },
  )
})
