import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { parseOutboundRules } from '../../functions/core/net/outbound-rules.ts'
import { projectArtifact } from '../../functions/core/publish/artifact.ts'
import { tarOf } from '../../functions/core/tar/make.ts'
import { loopbackDialer } from '../../local/harness/outbound.ts'
import { publishImage, type Registry, startRegistry } from '../../local/harness/registry.ts'
import { openOutbound } from '../net/outbound.ts'
import { present } from '../testing/present.ts'
import { artifactRegistry } from './push.ts'

const files = [
  { kind: 'compose', path: 'compose.yaml', name: 'compose.yaml', text: 'services: {}\n' },
  { kind: 'extended', path: 'a/b.yaml', name: 'b.yaml', text: 'services: {b: {}}\n' },
  { kind: 'variables', path: 'a.env', name: 'c.env', text: 'A=1\n' },
] as const
const ours = { owner: 'shop', replacesOthers: false }
const artifact = projectArtifact(files, ours)
const digest = present(artifact.manifests[0]).digest
const account = { username: 'puller', password: 'registry password 4711' }
const { signal } = new AbortController()
const writer = artifactRegistry(loopbackDialer())
const at = (registry: string, tag = '1') => ({ registry, repository: 'team/shop', tag })

let open: Registry
let closed: Registry

beforeAll(async () => {
  open = await startRegistry()
  closed = await startRegistry({ closed: true })
})

afterAll(() => Promise.all([open.close(), closed.close()]))

/** Reads what is stored under a tag. */
async function stored({ address }: Registry, to: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`http://${address}/v2/team/shop/${to}`, { headers })
  return { status: answer.status, text: await answer.text(), headers: answer.headers }
}

test('a real registry stores the manifest and each file, and a second push changes nothing', async () => {
  expect(await writer.push(at(open.address), artifact, undefined, signal)).toBe(digest)
  expect(await writer.push(at(open.address), artifact, undefined, signal)).toBe(digest)
  const manifest = await stored(open, 'manifests/1', {
    Accept: 'application/vnd.oci.image.manifest.v1+json',
  })
  expect(manifest.headers.get('docker-content-digest')).toBe(digest)
  expect(JSON.parse(manifest.text)).toMatchObject({
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    artifactType: 'application/vnd.docker.compose.project',
    config: { mediaType: 'application/vnd.oci.empty.v1+json', size: 2 },
    layers: [
      {
        mediaType: 'application/vnd.docker.compose.file+yaml',
        annotations: { 'com.docker.compose.file': 'compose.yaml' },
      },
      { annotations: { 'com.docker.compose.extends': 'true' } },
      {
        mediaType: 'application/vnd.docker.compose.envfile',
        annotations: { 'com.docker.compose.envfile': 'c.env' },
      },
    ],
  })
  const layers: { digest: string }[] = JSON.parse(manifest.text).layers
  const texts = await Promise.all(
    layers.map(async (layer) => (await stored(open, `blobs/${layer.digest}`)).text),
  )
  expect(texts).toEqual(['services: {}\n', 'services: {b: {}}\n', 'A=1\n'])
})

test('a project is replaced by its publisher, and by others only if they mean to', async () => {
  const others = files.slice(0, 2)
  const other = projectArtifact(others, ours)
  const foreign = projectArtifact(others, { owner: 'blog', replacesOthers: false })
  const meant = projectArtifact(others, { owner: 'blog', replacesOthers: true })
  await writer.push(at(open.address, 'moved'), artifact, undefined, signal)
  const pushed = await writer.push(at(open.address, 'moved'), other, undefined, signal)
  expect(pushed).toBe(other.manifests[0]?.digest)
  const refused = writer.push(at(open.address, 'moved'), foreign, undefined, signal)
  await expect(refused).rejects.toMatchObject({ status: 409, reason: 'exists' })
  const stays = await stored(open, 'manifests/moved', {
    Accept: 'application/vnd.oci.image.manifest.v1+json',
  })
  expect(stays.headers.get('docker-content-digest')).toBe(other.manifests[0]?.digest)
  expect(await writer.push(at(open.address, 'moved'), meant, undefined, signal)).toBe(
    meant.manifests[0]?.digest,
  )
})

test('409: the tag has an image, which stays', async () => {
  const layer = await tarOf([{ path: 'made', content: Buffer.from('x'), mode: 0o644 }])
  await publishImage(open, 'team/shop', 'image', layer)
  const pushing = writer.push(at(open.address, 'image'), artifact, undefined, signal)
  await expect(pushing).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('the tag image has something that is no compose project'),
  })
  const { text } = await stored(open, 'manifests/image', {
    Accept: 'application/vnd.docker.distribution.manifest.v2+json',
  })
  expect(JSON.parse(text).config.mediaType).toBe('application/vnd.docker.container.image.v1+json')
})

test('with basic authentication: accepted with the credentials, 422 without or with wrong ones', async () => {
  expect(await writer.push(at(closed.address), artifact, account, signal)).toBe(digest)
  for (const wrong of [undefined, { ...account, password: 'wrong' }]) {
    const pushing = writer.push(at(closed.address), artifact, wrong, signal)
    await expect(pushing).rejects.toMatchObject({
      status: 422,
      reason: 'registry-refused',
      name: wrong ? 'RegistryAccountRefused' : 'Failure',
      message: expect.stringContaining('does not accept the credentials'),
    })
  }
})

test('500: nothing listens there; 422: the network policy refuses the address', async () => {
  const gone = artifactRegistry(loopbackDialer()).push(at('127.0.0.1:1'), artifact, account, signal)
  await expect(gone).rejects.toMatchObject({
    status: 500,
    reason: 'registry-unreachable',
    message: 'the registry cannot be reached: 127.0.0.1:1: connection refused',
  })
  const refused = artifactRegistry(openOutbound([]))
  await expect(refused.push(at(open.address), artifact, account, signal)).rejects.toMatchObject({
    status: 422,
    message: expect.stringContaining('loopback'),
  })
})

/** Returns whether it answers the request, or means to leave it without an answer. */
type Answer = (request: IncomingMessage, response: ServerResponse, address: string) => boolean

/**
 * Starts a registry that is written for a test. What a test does not answer is answered as by a
 * registry that is empty. Returns its address and the requests that it received.
 */
async function forged(answer: Answer) {
  const asked: { line: string; authorization: string | undefined }[] = []
  const server = createServer((request, response) => {
    const { authorization } = request.headers
    asked.push({ line: `${request.method} ${request.url}`, authorization })
    request.resume()
    const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
    if (answer(request, response, address)) return
    if (request.method === 'POST') {
      response.writeHead(202, { Location: '/v2/team/shop/blobs/uploads/1?_state=a%2Bb' }).end()
    } else if (request.method === 'PUT') response.writeHead(201).end()
    else response.writeHead(404).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

const pushTo = (registry: string, limits?: { timeout: number; whole: number }) =>
  artifactRegistry(loopbackDialer(), limits).push(at(registry), artifact, account, signal)

/** Answers requests without this token with a challenge. */
const bearer = (realm: (address: string) => string): Answer => {
  return (request, response, address) => {
    if (request.url?.startsWith('/token')) response.writeHead(200).end('{"token":"t0k"}')
    else if (request.headers.authorization === 'Bearer t0k') return false
    else {
      const challenge = `Bearer realm="${realm(address)}",service="own",scope="registry:catalog:*"`
      response.writeHead(401, { 'WWW-Authenticate': challenge }).end()
    }
    return true
  }
}

test('with a token: the service gets the credentials and our scope, the registry the token', async () => {
  const { address, asked } = await forged(bearer((own) => `http://${own}/token`))
  expect(await pushTo(address)).toBe(digest)
  const token = present(asked.find(({ line }) => line.startsWith('GET /token')))
  expect(token.line).toBe('GET /token?service=own&scope=repository%3Ateam%2Fshop%3Apull%2Cpush')
  expect(token.authorization).toMatch(/^Basic /)
  const others = asked.filter(({ line }) => !line.startsWith('GET /token')).slice(1)
  expect(new Set(others.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer t0k']))
  const uploads = asked.filter(({ line }) => line.includes('uploads/1'))
  expect(uploads[0]?.line).toMatch(/\?_state=a%2Bb&digest=sha256%3A[0-9a-f]{64}$/)
})

test('422: a token service elsewhere inside the network is not asked', async () => {
  const inner = await forged(() => false)
  const { port } = new URL(`http://${inner.address}`)
  const elsewhere = [
    `http://${inner.address}/token`,
    `http://localhost:${port}/token`,
    `https://10.0.0.1/token`,
    `https://user@127.0.0.1/token`,
    'file:///etc/passwd',
    'nonsense://',
  ]
  for (const realm of elsewhere) {
    const { address, asked } = await forged(bearer(() => realm))
    await expect(pushTo(address), realm).rejects.toMatchObject({
      status: 422,
      reason: 'registry-refused',
    })
    expect(asked).toHaveLength(1)
  }
  expect(inner.asked).toEqual([])
})

test('422: an upload is not sent to another origin, and redirects are not followed', async () => {
  const inner = await forged(() => false)
  for (const status of [202, 307]) {
    const { address } = await forged(({ method }, response) => {
      if (method !== 'POST') return false
      response.writeHead(status, { Location: `http://${inner.address}/upload` }).end()
      return true
    })
    await expect(pushTo(address)).rejects.toMatchObject({ status: 422 })
  }
  const { address } = await forged((_request, response) => {
    response.writeHead(302, { Location: `http://${inner.address}/` }).end()
    return true
  })
  await expect(pushTo(address)).rejects.toThrow('redirects, which is not followed')
  expect(inner.asked).toEqual([])
})

test('an upload to another host by HTTPS has no credentials, and its address is checked', async () => {
  const names: string[] = []
  const dialer = openOutbound(parseOutboundRules('127.0.0.1'), async (name) => {
    names.push(name)
    return [{ address: '169.254.169.254', family: 4 }]
  })
  const { address } = await forged(({ method }, response) => {
    if (method !== 'POST') return false
    response.writeHead(202, { Location: 'https://uploads.example.org/x' }).end()
    return true
  })
  const pushing = artifactRegistry(dialer).push(at(address), artifact, account, signal)
  await expect(pushing).rejects.toThrow('resolves to a link-local address')
  expect(names).toEqual(['uploads.example.org'])
})

test('an upload to another host gets the content, and neither the token nor the credentials', async () => {
  const uploads = await forged(() => false)
  const { address } = await forged((request, response, own) => {
    if (bearer((it) => `http://${it}/token`)(request, response, own)) return true
    if (request.method !== 'POST') return false
    response.writeHead(202, { Location: 'https://uploads.example.org/x' }).end()
    return true
  })
  const port = Number(uploads.address.split(':')[1])
  // Without TLS, so that the test needs no certificate.
  const https = Object.assign(new HttpsAgent(), { createConnection: () => connect(port) })
  const dialer = { ...loopbackDialer(), https }
  expect(await artifactRegistry(dialer).push(at(address), artifact, account, signal)).toBe(digest)
  expect(uploads.asked).toHaveLength(artifact.blobs.length)
  expect(uploads.asked.map(({ authorization }) => authorization)).toEqual(
    artifact.blobs.map(() => undefined),
  )
})

test('422: the registry stored something else', async () => {
  const wrong = { 'Docker-Content-Digest': `sha256:${'0'.repeat(64)}` }
  for (const path of ['/manifests/', '/uploads/']) {
    const { address } = await forged(({ method, url }, response) => {
      if (method !== 'PUT' || !url?.includes(path)) return false
      response.writeHead(201, wrong).end()
      return true
    })
    await expect(pushTo(address), path).rejects.toThrow('stored something other than what was sent')
  }
})

test('a registry that knows no types of artifacts gets the older form of the manifest', async () => {
  let manifests = 0
  const { address } = await forged(({ method, url }, response) => {
    if (method !== 'PUT' || !url?.includes('/manifests/')) return false
    manifests += 1
    if (manifests > 1) return false
    response.writeHead(400).end('{"errors":[{"code":"MANIFEST_INVALID"}]}')
    return true
  })
  expect(await pushTo(address)).toBe(artifact.manifests[1]?.digest)
  expect(manifests).toBe(2)
})

test('422: passes on only the code of an error of a registry', async () => {
  const { address } = await forged(({ method }, response) => {
    if (method !== 'POST') return false
    response.writeHead(429).end('{"errors":[{"code":"TOOMANYREQUESTS","message":"<b>secret</b>"}]}')
    return true
  })
  await expect(pushTo(address)).rejects.toMatchObject({
    message: 'the registry refuses it: starting an upload: it responds with 429 (TOOMANYREQUESTS)',
  })
})

test('409: an endless response is cut', async () => {
  const { address } = await forged((_request, response) => {
    response.writeHead(200)
    const chunk = Buffer.alloc(64 * 1024, ' ')
    const more = () => {
      while (!response.destroyed && response.write(chunk));
      response.once('drain', more)
    }
    more()
    return true
  })
  await expect(pushTo(address)).rejects.toMatchObject({ status: 409 })
})

test('500: a request without a response is given up', async () => {
  const { address } = await forged(({ method }) => method === 'POST')
  await expect(pushTo(address, { timeout: 300, whole: 5000 })).rejects.toMatchObject({
    status: 500,
    message: expect.stringContaining('no response within 0.3 s'),
  })
})

test('409: a response that drips is given up', async () => {
  const { address } = await forged((_request, response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write('{'), 50)
    response.once('close', () => clearInterval(timer))
    return true
  })
  const pushing = pushTo(address, { timeout: 400, whole: 5000 })
  await expect(pushing).rejects.toMatchObject({ status: 409 })
})

test('500: a registry that delays each response is given up', async () => {
  const { address } = await forged((_request, response) => {
    setTimeout(() => response.writeHead(404).end(), 300)
    return true
  })
  await expect(pushTo(address, { timeout: 1000, whole: 500 })).rejects.toMatchObject({
    status: 500,
    message: expect.stringContaining('it took longer than 0.5 s'),
  })
})
