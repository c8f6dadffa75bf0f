import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PulledLayer } from '../../../functions/core/records/host-engine.ts'
import { tarOf } from '../../../functions/core/tar/make.ts'
import { publishImage, type Registry, startRegistry } from '../../../local/harness/registry.ts'
import { run, step } from '../../testing/contract/engine-world.ts'
import { present } from '../../testing/present.ts'
import { dockerEngine } from '../engine.ts'
import { keepsImagesInContainerd } from '../state/image-store.ts'
import { engineClient } from '../transport/client.ts'
import { transportFrom } from '../transport/connect.ts'

const transport = transportFrom(process.env)
const engine = dockerEngine({ transport, host: 'local', stacksDirectory: '/tmp/registry-stacks' })
const client = engineClient(transport, 'local')
let registry: Registry
let image: string

const pull = (name: string) => run(engine, step({ action: 'pull', kind: 'image', name }))
const forget = () => client.json({ method: 'DELETE', path: `/images/${image}` })

beforeAll(async () => {
  registry = await startRegistry()
  image = await published('team/app')
})

afterAll(async () => {
  await registry.close()
  client.close()
  await engine.close()
})

/** Publishes an image with a layer that no Engine has, and returns its name. */
async function published(repository: string): Promise<string> {
  const content = Buffer.from(`${registry.address} ${repository}`)
  const layer = await tarOf([{ path: 'made', content, mode: 0o644 }])
  await publishImage(registry, repository, '1', layer)
  return `${registry.address}/${repository}:1`
}

test('pulls an image, lists it at once and resolves it by digest', async () => {
  expect((await engine.images()).flatMap(({ tags }) => tags)).not.toContain(image)
  const { id } = await pull(image)
  expect((await engine.images()).find(({ tags }) => tags.includes(image))?.id).toBe(id)
  const { images } = await engine.resolve({ networks: [], volumes: [], images: [image] })
  const digest = images[image]?.digests[0] ?? ''
  expect(digest).toMatch(/^127\.0\.0\.1:\d+\/team\/app@sha256:[0-9a-f]{64}$/)
  expect((await pull(digest)).id).toBe(id)
  await forget()
})

test('a pull returns the image; lists and removals reflect it at once', async () => {
  const { signal } = new AbortController()
  const pulled = await engine.pullImage(image, signal)
  expect(pulled).toMatchObject({ tags: [image], containers: 0 })
  expect(await engine.images()).toContainEqual(pulled)
  expect(await engine.pullImage(present(pulled.digests[0]), signal)).toEqual(pulled)
  await engine.removeImage(pulled.id, { force: false })
  expect((await engine.images()).map(({ id }) => id)).not.toContain(pulled.id)
  await expect(engine.pullImage('a/../b', signal)).rejects.toMatchObject({ status: 400 })
  await expect(engine.pullImage('Upper/Case', signal)).rejects.toMatchObject({ status: 400 })
})

test('a pull reports the progress of each layer from its first line to its last', async () => {
  const seen: PulledLayer[] = []
  const { signal } = new AbortController()
  const fresh = await published('team/layers')
  const { id } = await engine.pullImage(fresh, signal, {
    report: (layer) => seen.push(layer),
  })
  expect(new Set(seen.map((layer) => layer.id)).size).toBe(1)
  expect(seen[0]).toMatchObject({ state: 'waiting', current: null })
  expect(seen.at(-1)).toMatchObject({ state: 'done' })
  const extracting = seen.find(({ state }) => state === 'extracting')
  // Containerd reports no extraction of a small layer.
  if (!(await keepsImagesInContainerd(client, new AbortController().signal)))
    expect(extracting?.total).toBeGreaterThan(0)
  await engine.removeImage(id, { force: false })
})

test('a recorded pull has a time', async () => {
  const age = async () =>
    (await engine.resolve({ networks: [], volumes: [], images: [image] })).images[image]?.taggedAt
  await pull(image)
  const begun = Date.now()
  // Only an Engine that keeps its images in containerd records a pull by itself.
  expect((await age()) ?? 0).toBeLessThanOrEqual(begun)
  await run(engine, step({ action: 'pull', kind: 'image', name: image, stamp: true }))
  expect(await age()).toBeGreaterThanOrEqual(begun - 1000)
  await forget()
})

test('404: the registry does not have the tag', async () => {
  const name = `${registry.address}/team/app:none`
  await expect(pull(name)).rejects.toMatchObject({
    status: 404,
    message: expect.stringMatching(`^Pulling ${name} failed: .*manifest unknown`),
  })
})

test('500: a layer is missing after the Engine responded with 200', async () => {
  const fresh = await published('team/broken')
  const blobs = join(
    registry.directory,
    'docker/registry/v2/repositories/team/broken/_layers/sha256',
  )
  for (const digest of await readdir(blobs)) await rm(join(blobs, digest), { recursive: true })
  await expect(pull(fresh)).rejects.toMatchObject({
    status: 500,
    message: expect.stringContaining(`Pulling ${fresh} failed: `),
  })
})
