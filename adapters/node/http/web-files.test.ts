import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../serverless.ts'
import { present } from '../../testing/present.ts'
import { exchange, rawClient } from '../../testing/raw-http.ts'
import { expectError, lineOf, listening } from './testing/listener.ts'
import { webFiles } from './web-files.ts'

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const folder = mkdtempSync(join(tmpdir(), 'container-stacks-web-'))
const script = 'console.log("the app")'
const manifest = '{"name":"Container stacks"}'
const web = (feedsUrl?: string) => webFiles({ directory: pathToFileURL(`${folder}/`), feedsUrl })

beforeAll(() => {
  mkdirSync(join(folder, 'assets'))
  const page = '<!doctype html><script src="/assets/main-A1.js" nonce="{nonce}"></script>'
  writeFileSync(join(folder, 'index.html'), page)
  writeFileSync(join(folder, 'assets/main-A1.js.br'), brotliCompressSync(script))
  writeFileSync(join(folder, 'assets/main-A1.js.gz'), gzipSync(script))
  writeFileSync(join(folder, 'assets/inter-B2.woff2'), Buffer.from([0, 255, 1]))
  writeFileSync(join(folder, 'assets/icon-192-C3.png'), Buffer.from([137, 80, 78, 71]))
  writeFileSync(join(folder, 'assets/manifest-d4.webmanifest.br'), brotliCompressSync(manifest))
  writeFileSync(join(folder, 'assets/manifest-d4.webmanifest.gz'), gzipSync(manifest))
})
afterAll(() => rmSync(folder, { recursive: true }))

const request = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  `${method} ${path} HTTP/1.1\r\nHost: a\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`

const get = async (path: string, headers?: Record<string, string>, method?: string) => {
  await using service = await listening({ routes, web: web() })
  const answer = await exchange(service.port, request(path, headers, method))
  return { ...answer, line: await lineOf(service.log, answer.headers['x-request-id']) }
}

const fetchAsset = async (path: string, encoding: string) => {
  await using service = await listening({ routes, web: web() })
  const { origin } = new URL(service.url)
  const answer = await fetch(origin + path, { headers: { 'Accept-Encoding': encoding } })
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) }
}

test.each([
  '/',
  '/?theme=dark',
  '/stacks',
  '/stacks/',
  '/stacks/shop/deployments',
  '/images/a%2Fb%3A1',
])('200: %s is the page for a browser, with a strict policy', async (path) => {
  const answer = await get(path, { Accept: browser })
  expect(answer.status).toBe(200)
  const nonce = present(/nonce="([^"]{22,})"/.exec(answer.body)?.[1])
  expect(answer.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
  })
  const policy = present(answer.headers['content-security-policy']).split('; ')
  expect(policy).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "script-src 'self'",
      `style-src 'self' 'nonce-${nonce}'`,
      "connect-src 'self'",
      "img-src 'self'",
      "manifest-src 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types own-worker',
    ]),
  )
  expect(policy.join()).not.toMatch(/unsafe|\*|data:|http/)
  expect(answer.line).toMatchObject({ status: 200, route: null })
})

test.each([
  [400, '/stacks/%zz'],
  [400, '/stacks/%ff'],
  [400, '/stacks/a%00b'],
  [404, '/stacks/a%5Cb'],
  [404, '/stacks/%2e%2e'],
  [404, '//'],
])('%d: a browser gets the page for the malformed address %s', async (status, path) => {
  const answer = await get(path, { Accept: browser })
  expect(answer).toMatchObject({ status, headers: { 'content-type': 'text/html; charset=utf-8' } })
  expect(answer.body).toContain('nonce="')
  expectError(await get(path), status)
  expectError(await get(path, { Accept: browser }, 'POST'), status)
  expectError(await get(`/api/v1${path}`, { Accept: browser }), status)
  expectError(await get(`/assets${path}`, { Accept: browser }), status)
  await using service = await listening({ routes })
  expectError(await exchange(service.port, request(path, { Accept: browser })), status)
})

test('400: a request with a malformed address and two Hosts has the error body', async () => {
  await using service = await listening({ routes, web: web() })
  const sent = request('/stacks/%zz', { Accept: browser, Host: 'b' })
  expectError(await exchange(service.port, sent), 400)
})

test('200: a page may connect to feeds at another address, and to nothing else there', async () => {
  await using service = await listening({
    routes,
    web: web('wss://feeds.example.org:8081/stacks'),
  })
  const answer = await exchange(service.port, request('/', { Accept: browser }))
  const policy = present(answer.headers['content-security-policy']).split('; ')
  expect(policy).toContain("connect-src 'self' wss://feeds.example.org:8081")
  expect(policy.filter((line) => line.includes('feeds.example.org'))).toHaveLength(1)
})

test('200: every page has its own nonce', async () => {
  const [one, two] = [await get('/', { Accept: browser }), await get('/', { Accept: browser })]
  expect(one.body).not.toBe(two.body)
})

test('200: HEAD has the headers of the page and no body', async () => {
  await using service = await listening({ routes, web: web() })
  const client = await rawClient(service.port)
  client.write(request('/stacks', { Accept: browser }, 'HEAD'))
  expect(await client.answer('bodyless')).toMatchObject({
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  })
  client.socket.destroy()
})

test.each([
  ['/stacks', '*/*', 'GET'],
  ['/stacks', undefined, 'GET'],
  ['/stacks', 'application/json', 'GET'],
  ['/', 'text/html;q=0', 'GET'],
  ['/stacks', browser, 'POST'],
  ['/stacks', browser, 'DELETE'],
  ['/stacks', browser, 'OPTIONS'],
  ['/api', browser, 'GET'],
  ['/api/', browser, 'GET'],
  ['/api/v1/nothing', browser, 'GET'],
  ['/api/v2/stacks', browser, 'GET'],
  ['/assets', browser, 'GET'],
  ['/assets/nothing.js', browser, 'GET'],
  ['/assets/main-A1.js.gz', browser, 'GET'],
  ['/assets/..%2Findex.html', browser, 'GET'],
  ['/assets/%2e%2e/index.html', browser, 'GET'],
  ['/assets/main-A1.js', browser, 'POST'],
])('404: %s with Accept: %s by %s has the error body', async (path, accept, method) => {
  const answer = await get(path, accept === undefined ? {} : { Accept: accept }, method)
  expectError(answer, 404)
})

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
])('200: an asset for Accept-Encoding: %s is sent as %s', async (accepted, encoding) => {
  await using service = await listening({ routes, web: web() })
  const { origin } = new URL(service.url)
  const answer = await fetch(`${origin}/assets/main-A1.js`, {
    headers: { 'Accept-Encoding': accepted },
  })
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-encoding': encoding,
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    vary: 'Accept-Encoding',
    etag: `"main-A1.js.${encoding}"`,
  })
  expect(await answer.text()).toBe(script)
})

test('200: an asset is unpacked for a client without compression', async () => {
  const { answer, bytes } = await fetchAsset('/assets/main-A1.js', 'identity')
  expect(answer.headers.get('content-encoding')).toBeNull()
  expect(bytes.toString()).toBe(script)
})

test('200: a font is sent as it is', async () => {
  const { answer, bytes } = await fetchAsset('/assets/inter-B2.woff2', 'gzip, br')
  expect(answer.headers.get('content-type')).toBe('font/woff2')
  expect(answer.headers.get('vary')).toBeNull()
  expect([...bytes]).toEqual([0, 255, 1])
})

test('200: the manifest has its own type, for a browser that is not signed in', async () => {
  const { answer, bytes } = await fetchAsset('/assets/manifest-d4.webmanifest', 'br')
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'application/manifest+json',
  ])
  expect(bytes.toString()).toBe(manifest)
})

test('200: an icon is sent as it is, for a browser that is not signed in', async () => {
  const { answer, bytes } = await fetchAsset('/assets/icon-192-C3.png', 'gzip, br')
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(answer.headers.get('content-encoding')).toBeNull()
  expect([...bytes]).toEqual([137, 80, 78, 71])
})

test('304: an asset that the browser has', async () => {
  await using service = await listening({ routes, web: web() })
  const client = await rawClient(service.port)
  const headers = { 'Accept-Encoding': 'br', 'If-None-Match': 'W/"main-A1.js.br"' }
  client.write(request('/assets/main-A1.js', headers))
  expect((await client.answer('bodyless')).status).toBe(304)
  client.socket.destroy()
  const other = await get('/assets/main-A1.js', { 'If-None-Match': '"main-A1.js.br"' })
  expect(other.status).toBe(200)
})

test('without a build there are no files, so that the explorer is the first page', () => {
  expect(webFiles({ directory: pathToFileURL(`${folder}/nothing/`) })).toBeUndefined()
})
