import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runClient } from '../../local/harness/client.ts'
import { fillPath } from './http.ts'

async function serving(server: Server, scheme = 'http') {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const home = mkdtempSync(join(tmpdir(), 'client-'))
  const env = { CLI_SERVER: `${scheme}://127.0.0.1:${port}`, CLI_TOKEN: 'secret' }
  const run = (...argv: string[]) => runClient(argv, home, { env })
  return {
    port,
    url: `${scheme}://127.0.0.1:${port}`,
    home,
    run,
    whoami: (...flags: string[]) => run('whoami', ...flags),
    [Symbol.asyncDispose]: async () => {
      rmSync(home, { recursive: true })
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const json = { 'content-type': 'application/json', connection: 'close' }
const answering =
  (status: number, body: string, headers: Record<string, string> = json): RequestListener =>
  (_, response) =>
    void response.writeHead(status, { connection: 'close', ...headers }).end(body)

const me = JSON.stringify({ username: 'ada', role: 'admin', scope_tags: [], credential: 'session' })

function certificate() {
  const directory = mkdtempSync(join(tmpdir(), 'tls-'))
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')]
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=x']
  execFileSync('openssl', [...request, '-keyout', key, '-out', cert], { stdio: 'ignore' })
  const pair = { key: readFileSync(key), cert: readFileSync(cert) }
  rmSync(directory, { recursive: true })
  return pair
}

test('encodes names as single path segments', () => {
  const path = '/stacks/{name}/stop'
  const encoded = '/stacks/a%2F..%2Fb%3Fx%3D1%23y%20z/stop'
  expect(fillPath(path, { name: 'a/../b?x=1#y z' })).toBe(encoded)
  for (const name of ['', '.', '..']) {
    expect(() => fillPath(path, { name })).toThrow('is not a name')
  }
})

test('1, 0: rejects an untrusted certificate unless --insecure is used', async () => {
  await using at = await serving(createTlsServer(certificate(), answering(200, me)), 'https')
  const refused = await at.whoami()
  expect(refused.code).toBe(1)
  expect(refused.err).toContain('its TLS certificate is not trusted\n  use --insecure')
  expect(await at.whoami('--insecure')).toMatchObject({ code: 0, err: '' })
  const argv = ['login', at.url, '--token', 'x', '--insecure']
  expect((await runClient(argv, at.home)).code).toBe(0)
  expect((await runClient(['whoami'], at.home)).code).toBe(0)
})

test('1: https to an http port', async () => {
  await using at = await serving(createServer(answering(200, me)), 'https')
  expect((await at.whoami()).err).toContain('does not speak TLS on this port')
})

test('1: reports a redirect without following it or sending the credential', async () => {
  const headers = { location: 'https://elsewhere.example/' }
  await using at = await serving(createServer(answering(301, '', headers)))
  const { code, err } = await at.whoami()
  expect(code).toBe(1)
  expect(err).toContain('redirects to https://elsewhere.example/')
})

test.each([
  [200, '<html>', 'text/html'],
  [502, 'Bad Gateway', 'text/plain'],
  [404, '{"message":"no"}', 'application/json'],
])('1: %i %s is not the service', async (status, body, type) => {
  const listener = answering(status, body, { 'content-type': type })
  await using at = await serving(createServer(listener))
  const { code, out, err } = await at.whoami()
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toContain(`responded with ${status} and ${type}: this is not the service`)
})

test('1: shows the request ID of an internal error', async () => {
  const headers = { ...json, 'x-request-id': 'abc-1' }
  await using at = await serving(createServer(answering(500, '{"error":"no store"}', headers)))
  expect(await at.whoami()).toEqual({
    code: 1,
    out: '',
    err: 'cli: no store\n  request id: abc-1\n',
  })
})

test('1: escapes control characters in an error message', async () => {
  const body = JSON.stringify({ error: 'a\u001b[2Jb' })
  await using at = await serving(createServer(answering(409, body)))
  expect((await at.whoami()).err).toBe('cli: a\\u001b[2Jb\n')
})

test('1: the connection closes during the response', async () => {
  await using at = await serving(createTcpServer((socket) => socket.destroy()))
  expect((await at.whoami()).err).toContain('closed the connection without a response')
  const half = createServer((_, response) => {
    response.writeHead(200, { ...json, 'content-length': '999' })
    response.write('{', () => response.socket?.destroy())
  })
  await using cut = await serving(half)
  expect(await cut.whoami()).toMatchObject({ code: 1, out: '' })
})

test('1: the error response of a feed is cut short', async () => {
  const head = 'HTTP/1.1 409 Conflict\r\nContent-Type: application/json\r\nContent-Length: 99\r\n'
  const server = createServer(answering(200, '{"ticket":"t"}'))
  server.on('upgrade', (_, socket) => {
    socket.write(`${head}\r\n{"error":`, () => socket.destroy())
  })
  await using at = await serving(server)
  const { code, err } = await at.run('containers', 'exec', 'web', 'ls')
  expect([code, err]).toEqual([
    1,
    expect.stringContaining('closed the connection without a response'),
  ])
})

test('1: the server does not speak HTTP', async () => {
  await using at = await serving(
    createTcpServer((socket) => void socket.resume().end('SSH-2.0\r\n')),
  )
  expect((await at.whoami()).err).toContain('does not speak HTTP on this port')
})

test('keeps the path prefix of a reverse proxy; --server overrides the environment', async () => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.authorization}`)
    answering(200, me)(request, response)
  })
  await using at = await serving(server)
  await at.whoami('--server', `${at.url}/stacks/api/v1/`, '--token', '007')
  expect(asked).toEqual(['/stacks/api/v1/me Bearer 007'])
})

test('0: asks for a second factor when the server requires it', async () => {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    if (request.url?.endsWith('/me')) return answering(200, me)(request, response)
    bodies.push(body)
    const pair = '{"access_token":"a","refresh_token":"r"}'
    if (body.includes('totp_code')) return answering(200, pair)(request, response)
    const headers = { ...json, 'www-authenticate': 'TOTP' }
    answering(401, '{"error":"TOTP code required"}', headers)(request, response)
  })
  await using at = await serving(server)
  const stdin = 'a password\n123 456\n'
  const ended = await runClient(['login', at.url, '--user', 'ada'], at.home, { stdin })
  expect(ended.code).toBe(0)
  expect(JSON.parse(bodies[1] ?? '')).toEqual({
    username: 'ada',
    password: 'a password',
    remember_me: true,
    totp_code: '123456',
  })
})
