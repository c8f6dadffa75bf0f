import { expect, test } from 'vitest'
import { givenStack, world } from '../../../local/harness/world.ts'
import type { Step } from '../../compose/step.ts'
import { fetchImage } from './fetch-image.ts'
import type { TagStep } from './retag-image.ts'

const digest = `sha256:${'d'.repeat(64)}`
const old = `sha256:${'e'.repeat(64)}`

/** A host whose image `nginx:1` gets to be another one. */
function given({ reach = 'host' as 'host' | 'stack', lastImages = {} } = {}) {
  const here = world()
  const { ports, engine } = here
  const { images, registry } = engine.state
  images.set('nginx:1', old)
  ports.clock.sleep = async (milliseconds) => ports.clock.advance(milliseconds)
  const user = { stack: 'shop', hostId: 'local', reach, lastImages }
  const tag = (source: string, rest: Partial<TagStep> = {}) => {
    const about = { index: 0, after: [], reason: 'becomes', service: null }
    const step = {
      ...about,
      action: 'tag',
      kind: 'image',
      name: 'nginx:1',
      source,
      ...rest,
    } as const
    const how = { user, accepted: { bases: [], all: false } }
    return fetchImage(step, how, engine, new AbortController().signal, ports)
  }
  const done = () => engine.executed.map(({ action, name }: Step) => `${action} ${name}`)
  return { here, ports, engine, images, registry, tag, done }
}

test('pulls the digest that the host lacks, then gives it the name', async () => {
  const { images, registry, tag, done } = given()
  registry.add(`nginx@${digest}`)
  const { id } = await tag(`nginx@${digest}`)
  expect(images.get('nginx:1')).toBe(id)
  expect(images.get(`nginx@${digest}`)).toBe(id)
  expect(done()).toEqual([`pull nginx@${digest}`, 'tag nginx:1'])
})

test('pulls nothing that the host has, by its digest or its ID', async () => {
  const { images, tag, done } = given()
  images.set(`nginx@${digest}`, 'sha256:7')
  await tag(`nginx@${digest}`)
  expect(images.get('nginx:1')).toBe('sha256:7')
  images.set('kept:1', old)
  await tag(old)
  expect(images.get('nginx:1')).toBe(old)
  expect(done()).toEqual(['tag nginx:1', 'tag nginx:1'])
})

test('finds an image that lost its tags, on an Engine that keeps its images in containerd', async () => {
  const { engine, images, tag, done } = given()
  engine.state.unnamed.add(digest)
  expect(await tag(`nginx@${digest}`)).toMatchObject({ id: digest })
  expect(images.get('nginx:1')).toBe(digest)
  expect(done()).toEqual(['tag nginx:1'])
})

test.each([
  ['linux/amd64', 1],
  ['linux/x86_64/v2', 1],
  ['linux/arm64/v8', 2],
])('pulls the digest for another platform than the host has: %s', async (platform, steps) => {
  const { engine, images, registry, tag } = given()
  images.set(`nginx@${digest}`, 'sha256:7')
  registry.add(`nginx@${digest}`)
  await tag(`nginx@${digest}`, { platform })
  expect(engine.executed).toHaveLength(steps)
  if (steps > 1) expect(engine.executed[0]).toMatchObject({ action: 'pull', platform })
})

test('409: the ID is gone, and the name stays', async () => {
  const { images, tag, done } = given()
  await expect(tag(digest)).rejects.toMatchObject({ status: 409 })
  expect(images.get('nginx:1')).toBe(old)
  expect(done()).toEqual([])
})

test('500: the registry lacks the digest, and the name stays', async () => {
  const { images, tag } = given()
  await expect(tag(`nginx@${digest}`)).rejects.toMatchObject({ status: 500 })
  expect(images.get('nginx:1')).toBe(old)
})

test('403: the registry of the digest is private', async () => {
  const { tag, done } = given({ reach: 'stack' })
  await expect(tag(`nas:5000/nginx@${digest}`)).rejects.toMatchObject({
    status: 403,
    message: expect.stringContaining('the registry "nas:5000"'),
  })
  expect(done()).toEqual([`pull nas:5000/nginx@${digest}`])
})

test('409: another stack builds images of this name, also if it begins to meanwhile', async () => {
  const { here, ports, images, registry, tag, done } = given({ reach: 'stack' })
  const owner = { hostId: 'local', kind: 'image' as const, name: 'docker.io/library/nginx:1' }
  const claim = () => ports.owners.claim({ ...owner, stack: 'other', at: 1 })
  await givenStack(here, 'other', { deployed: false })
  registry.add(`nginx@${digest}`)
  const { peek } = ports.leases
  // While the digest is pulled.
  ports.leases.peek = async (name) => {
    await claim()
    return peek(name)
  }
  await expect(tag(`nginx@${digest}`)).rejects.toMatchObject({ status: 409 })
  expect(done()).toEqual([`pull nginx@${digest}`])
  expect(images.get('nginx:1')).toBe(old)
  await expect(tag(`nginx@${digest}`)).rejects.toMatchObject({ status: 409 })
  expect(done()).toHaveLength(1)
})
