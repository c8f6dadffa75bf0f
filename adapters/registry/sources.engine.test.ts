import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { parseOutboundRules } from '../../functions/core/net/outbound-rules.ts'
import type { SourceTree } from '../../functions/core/ports/source-reader.ts'
import { mediaTypes, projectArtifact } from '../../functions/core/publish/artifact.ts'
import { loopbackDialer } from '../../local/harness/outbound.ts'
import { publishImage, type Registry, startRegistry } from '../../local/harness/registry.ts'
import { openOutbound } from '../net/outbound.ts'
import { present } from '../testing/present.ts'
import { artifactRegistry } from './push.ts'
import { ociSources } from './sources.ts'

const files = [
  { kind: 'compose', path: 'compose.yaml', name: 'compose.yaml', text: 'services: {a: {}}\n' },
  { kind: 'compose', path: 'pins.yaml', name: 'pins.yaml', text: 'services: {}\n' },
  { kind: 'extended', path: 'a/b.yaml', name: 'b.yaml', text: 'services: {b: {}}\n' },
  { kind: 'variables', path: 'a.env', name: 'c.env', text: 'A=1\n' },
] as const
const artifact = projectArtifact(files, { owner: 'shop', replacesOthers: false })
const digest = present(artifact.manifests[0]).digest
const account = { username: 'puller', password: 'registry password 4711' }
const limits = { bytes: 1_000_000, fileBytes: 100_000, files: 100 }
const all = { paths: [''], limits }
const { signal } = new AbortController()
const reader = ociSources(loopbackDialer())
const at = (registry: string, ref = '1') => ({
  kind: 'oci' as const,
  url: `oci://${registry}/team/shop`,
  ref,
})

let open: Registry
let closed: Registry

beforeAll(async () => {
  open = await startRegistry()
  closed = await startRegistry({ closed: true })
  const writer = artifactRegistry(loopbackDialer())
  for (const { address, credentials } of [open, closed]) {
    const target = { registry: address, repository: 'team/shop', tag: '1' }
    await writer.push(target, artifact, credentials, signal)
  }
})

afterAll(() => Promise.all([open.close(), closed.close()]))

/** Returns the files of a tree by path, as texts. */
async function textsOf(tree: SourceTree, path = '') {
  const found: Record<string, string> = {}
  for await (const file of tree.files(path)) {
    found[file.path] = 'link' in file ? `→ ${file.link}` : Buffer.from(file.content).toString()
  }
  return found
}

test('reads a published project from a real registry, by tag and by digest', async () => {
  for (const ref of ['1', digest]) {
    const source = at(open.address, ref)
    expect(await reader.look(source, signal)).toEqual({ revision: digest })
    const tree = await reader.open(source, digest, all, signal)
    expect([tree.idOf(''), tree.idOf('shop')]).toEqual([digest, undefined])
    expect(tree.folders()).toEqual([{ path: '', composeFile: 'compose.yaml' }])
    expect(await textsOf(tree)).toEqual({
      'compose.yaml': 'services: {a: {}}\n\n---\nservices: {}\n',
      'b.yaml': 'services: {b: {}}\n',
      'c.env': 'A=1\n',
    })
    expect(await textsOf(tree, 'shop')).toEqual({})
    await tree.close()
  }
})

test('names what is wrong: account, tag, image, address, size', async () => {
  const problemOf = (work: Promise<unknown>) => work.catch(({ problem }) => problem)
  expect(await reader.look({ ...at(closed.address), account }, signal)).toEqual({
    revision: digest,
  })
  const wrong = { ...account, password: 'other' }
  expect(await problemOf(reader.look({ ...at(closed.address), account: wrong }, signal))).toBe(
    'denied',
  )
  expect(await problemOf(reader.look(at(closed.address), signal))).toBe('denied')
  expect(await problemOf(reader.look(at(open.address, '2'), signal))).toBe('no-such-ref')
  expect(await problemOf(reader.look(at('127.0.0.1:1'), signal))).toBe('unreachable')
  expect(await problemOf(reader.look(at(open.address, '../x'), signal))).toBe('malformed')
  const policy = ociSources(openOutbound(parseOutboundRules('')))
  expect(await problemOf(policy.look(at(open.address), signal))).toBe('not-allowed')
  const small = { paths: [''], limits: { ...limits, fileBytes: 5 } }
  expect(await problemOf(reader.open(at(open.address), digest, small, signal))).toBe('too-large')
})

test('an image is no published project', async () => {
  await publishImage(open, 'team/shop', 'image', Buffer.alloc(1024))
  const { revision } = await reader.look(at(open.address, 'image'), signal)
  await expect(reader.open(at(open.address, 'image'), revision, all, signal)).rejects.toThrow(
    'no published project',
  )
})

/** Starts a registry that answers as the test says. Returns its address. */
async function registry(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a look is one request, and keeps how long the registry asks to wait', async () => {
  const asked: string[] = []
  const address = await registry(({ method, url }, response) => {
    asked.push(`${method} ${url}`)
    response.writeHead(429, { 'Retry-After': '120' }).end()
  })
  const failure = await reader.look(at(address), signal).catch((error) => error)
  expect([failure.problem, failure.retryAfter]).toEqual(['limited', 120])
  expect(asked).toEqual(['HEAD /v2/team/shop/manifests/1'])
})

test('a manifest or a file with another digest is refused', async () => {
  const manifest = present(artifact.manifests[0])
  let isManifestRight = false
  const address = await registry(({ url = '' }, response) => {
    const isRight = url.includes('/manifests/') && isManifestRight
    response.end(isRight ? manifest.content : `{"mediaType":"${mediaTypes.manifest}"}`)
  })
  await expect(reader.open(at(address), digest, all, signal)).rejects.toThrow('digest')
  isManifestRight = true
  const tree = await reader.open(at(address), digest, all, signal)
  await expect(textsOf(tree)).rejects.toThrow('digest')
})
