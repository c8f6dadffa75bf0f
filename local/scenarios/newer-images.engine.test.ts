import { afterAll, beforeAll, expect, test } from 'vitest'
import { dockerEngine } from '../../adapters/docker/engine.ts'
import { transportFrom } from '../../adapters/docker/transport/connect.ts'
import { imageRegistry } from '../../adapters/registry/read.ts'
import { docker } from '../../adapters/testing/docker.ts'
import { present } from '../../adapters/testing/present.ts'
import type { Deployment } from '../../functions/core/records/deployment.ts'
import { tarOf } from '../../functions/core/tar/make.ts'
import { compareImage } from '../../functions/core/updates/compare-image.ts'
import create from '../../functions/stacks/create.ts'
import deploy from '../../functions/stacks/deploy.ts'
import { call } from '../harness/call.ts'
import { deployWith } from '../harness/deploy-with.ts'
import { loopbackDialer } from '../harness/outbound.ts'
import { realEngineWorld } from '../harness/real-engine-world.ts'
import {
  type Descriptor,
  type IndexEntry,
  ownArchitecture,
  publishImage,
  publishIndex,
  type Registry,
  startRegistry,
} from '../harness/registry.ts'
import { removeFromEngine } from '../harness/remove-from-engine.ts'
import { unique } from '../harness/unique.ts'
import { busyboxArchive } from '../setup/busybox.mjs'

// A real Engine pulls real images from a real registry, which then gets others.
const reader = imageRegistry(loopbackDialer())
const transport = transportFrom(process.env)
const engine = dockerEngine({ transport, host: 'local', stacksDirectory: '/tmp/read-stacks' })
const { signal } = new AbortController()
const other = ownArchitecture === 'arm64' ? 'amd64' : 'arm64'
let registry: Registry
let closed: Registry
let count = 0

beforeAll(async () => {
  registry = await startRegistry()
  closed = await startRegistry({ closed: true })
})

afterAll(async () => {
  await Promise.all([registry.close(), closed.close()])
  await engine.close()
})

/** A repository of the registry, with what a publisher does there. */
function repository(at: Registry = registry) {
  count += 1
  const name = `team/app${count}`
  const reference = `${at.address}/${name}:1`
  // The same layer for the same content: an archive has its time in it.
  const layers = new Map<string, Promise<Buffer>>()
  const layer = (content: string) => {
    const file = { path: 'made', content: Buffer.from(`${name} ${content}`), mode: 0o644 }
    const made = layers.get(content) ?? tarOf([file])
    layers.set(content, made)
    return made
  }
  return {
    name,
    reference,
    tag: { registry: at.address, repository: name, tag: '1' },
    /** Pushes an image without a tag. */
    image: async (content: string, architecture = ownArchitecture) =>
      publishImage(at, name, undefined, await layer(content), {}, architecture),
    /** Pushes an image under the tag. */
    tagged: async (content: string) => publishImage(at, name, '1', await layer(content)),
    index: (...entries: IndexEntry[]) => publishIndex(at, name, '1', entries),
    pull() {
      docker('pull', '--quiet', reference)
      return reference
    },
    remove: (...more: string[]) => docker('rmi', '--force', reference, ...more),
  }
}
type Repository = ReturnType<typeof repository>

const of = (image: Descriptor, architecture: string): IndexEntry => ({
  ...image,
  platform: { os: 'linux', architecture },
})
const own = (image: Descriptor) => of(image, ownArchitecture)
/** What BuildKit adds to an index. */
const attestation = (image: Descriptor): IndexEntry => ({
  ...image,
  platform: { os: 'unknown', architecture: 'unknown' },
  annotations: { 'vnd.docker.reference.type': 'attestation-manifest' },
})

/** Compares what the host has with what the tag has now. */
async function compare({ tag, reference }: Repository) {
  const answer = await reader.digestOf(tag, undefined, signal)
  if (answer.state !== 'found') return answer.state
  const names = { networks: [], volumes: [], images: [reference] }
  const { id, digests, platform } = present((await engine.resolve(names)).images[reference])
  const running = { id, digests, platform: present(platform) }
  const reading = { registry: reader, account: undefined, signal }
  return compareImage(running, answer.digest, tag, reading)
}

interface Case {
  title: string
  before(repository: Repository): Promise<unknown>
  after(repository: Repository): Promise<unknown>
  expected: string
}

const cases: Case[] = [
  {
    title: 'nothing changed',
    before: ({ tagged }) => tagged('one'),
    after: async () => {},
    expected: 'same',
  },
  {
    title: 'another image under the tag',
    before: ({ tagged }) => tagged('one'),
    after: ({ tagged }) => tagged('two'),
    expected: 'newer',
  },
  {
    title: 'an index that did not change',
    before: async ({ index, image }) => index(own(await image('one'))),
    after: async () => {},
    expected: 'same',
  },
  {
    title: 'an index with another image for the platform',
    before: async ({ index, image }) => index(own(await image('one'))),
    after: async ({ index, image }) => index(own(await image('two'))),
    expected: 'newer',
  },
  {
    title: 'an index with another image for another platform only',
    before: async ({ index, image }) =>
      index(own(await image('one')), of(await image('one', other), other)),
    after: async ({ index, image }) =>
      index(own(await image('one')), of(await image('two', other), other)),
    expected: 'same',
  },
  {
    title: 'an index with another attestation',
    before: async ({ index, image }) =>
      index(own(await image('one')), attestation(await image('a'))),
    after: async ({ index, image }) =>
      index(own(await image('one')), attestation(await image('b'))),
    expected: 'same',
  },
  {
    title: 'an index around the image that had the tag alone',
    before: ({ tagged }) => tagged('one'),
    after: async ({ index, image }) => index(own(await image('one'))),
    expected: 'same',
  },
  {
    title: 'the image alone that was in an index',
    before: async ({ index, image }) => index(own(await image('one'))),
    after: ({ tagged }) => tagged('one'),
    expected: 'same',
  },
  {
    title: 'an index without the platform',
    before: async ({ index, image }) => index(own(await image('one'))),
    after: async ({ index, image }) => index(of(await image('two', other), other)),
    expected: 'no image for its platform',
  },
]

test.each(cases)('compares with the registry: $title: $expected', async (one) => {
  const made = repository()
  await one.before(made)
  made.pull()
  await one.after(made)
  expect(await compare(made)).toBe(one.expected)
  made.remove()
})

test('a second name of the image does not matter, and a tag that is gone is missing', async () => {
  const made = repository()
  await made.tagged('one')
  made.pull()
  const second = repository()
  docker('tag', made.reference, second.reference)
  expect(await compare(made)).toBe('same')
  expect(await compare(second)).toBe('missing')
  made.remove(second.reference)
})

test('a deploy gives the tag to a digest, and gives it back without the registry', async () => {
  const own = await startRegistry()
  const here = realEngineWorld()
  const name = unique('retag')
  const images = `${own.address}/team/app`
  const [one, two] = await published(own, 'one', 'two', 'and moves on')
  const about = { ports: here.ports, as: 'admin' as const }
  const compose = `services: {web: {image: "${images}:1", command: sleep 3600, init: true}}`
  const plainDeploy = async () =>
    (await call(deploy, { ...about, path: { name }, body: {} })).json as Deployment
  const retag = (digest: string) =>
    deployWith(name, { retag: { [`${images}:1`]: digest } }, here.ports)
  const made = () => docker('exec', `${name}-web-1`, 'cat', '/made')
  try {
    docker('pull', '--quiet', `${images}@${one.digest}`)
    docker('tag', `${images}@${one.digest}`, `${images}:1`)
    await call(create, { ...about, body: { name, compose } })
    expect(await plainDeploy()).toMatchObject({ status: 'succeeded' })
    const before = docker('inspect', '--format', '{{.Image}}', `${name}-web-1`)
    const updated = await retag(`${images}@${two.digest}`)
    expect(updated, JSON.stringify(updated)).toMatchObject({
      status: 'succeeded',
      images: { web: `${images}@${two.digest}` },
    })
    expect(made()).toBe('two')
    expect(await plainDeploy()).toMatchObject({ status: 'succeeded', steps: [], warnings: [] })

    await own.pause()
    const back = await retag(`${images}@${one.digest}`)
    expect(back, JSON.stringify(back)).toMatchObject({ status: 'succeeded' })
    expect(made()).toBe('one')
    expect(docker('inspect', '--format', '{{.Image}}', `${name}-web-1`)).toBe(before)
    expect(await plainDeploy()).toMatchObject({ status: 'succeeded', steps: [], warnings: [] })
    expect(await retag(before)).toMatchObject({ status: 'succeeded', steps: [{ action: 'tag' }] })
  } finally {
    await removeFromEngine(name)
    const ids = docker('images', '--quiet', '--no-trunc', images).split('\n').filter(Boolean)
    docker('rmi', '--force', ...new Set(ids))
    await Promise.all([here.close(), own.close()])
  }
})

/** Pushes images that run, each under the same tag. */
async function published(at: Registry, ...contents: [string, string, ...string[]]) {
  const made: Descriptor[] = []
  for (const content of contents) {
    const file = await tarOf([{ path: 'made', content: Buffer.from(content), mode: 0o644 }])
    const layer = Buffer.concat([busyboxArchive().subarray(0, -1024), file])
    made.push(await publishImage(at, 'team/app', '1', layer))
  }
  return made as [Descriptor, Descriptor]
}

test('a private registry is asked with its credentials only', async () => {
  const made = repository(closed)
  const { digest } = await made.tagged('one')
  await expect(reader.digestOf(made.tag, undefined, signal)).rejects.toMatchObject({ status: 422 })
  const answer = await reader.digestOf(made.tag, present(closed.credentials), signal)
  expect(answer).toMatchObject({ state: 'found', digest })
})
