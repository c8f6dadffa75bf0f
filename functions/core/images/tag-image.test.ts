import { expect, test } from 'vitest'
import { memoryEngine } from '../../../adapters/testing/memory/engine.ts'
import { memoryPorts } from '../../../adapters/testing/memory/stores.ts'
import { present } from '../../../adapters/testing/present.ts'
import { tagBuiltImage } from './tag-image.ts'

const lock = 'image:local:docker.io/library/shop:latest'

/** A stack that has built an image, on a clock that moves only while a call waits. */
function built({ reference = 'shop', reach = 'stack' as 'stack' | 'host' } = {}) {
  const ports = memoryPorts()
  const engine = memoryEngine()
  const id = present(engine.state.images.get('busybox:latest'))
  const user = { stack: 'shop', hostId: 'local', reach }
  ports.clock.sleep = async (milliseconds) => ports.clock.advance(milliseconds)
  const tag = (signal = new AbortController().signal) =>
    tagBuiltImage({ id, reference }, user, engine, signal, ports)
  const isTagged = () => engine.state.images.has(reference)
  return { ports, tag, isTagged }
}

test('tags an image and releases the name', async () => {
  const { ports, tag, isTagged } = built()
  await tag()
  expect(isTagged()).toBe(true)
  expect(await ports.leases.peek(lock)).toMatchObject({ held: false, fence: 1 })
})

test('waits for a process that died while it tagged an image with the same name', async () => {
  const { ports, tag, isTagged } = built()
  await ports.leases.acquire(lock, 'another', 10_000)
  const begun = ports.clock.monotonic()
  await tag()
  expect(isTagged()).toBe(true)
  expect(ports.clock.monotonic() - begun).toBe(10_000)
})

test('409: gives up while another process keeps the name', async () => {
  const { ports, tag, isTagged } = built()
  const lease = present(await ports.leases.acquire(lock, 'another', 10_000))
  ports.clock.sleep = async (milliseconds) => {
    ports.clock.advance(milliseconds)
    await ports.leases.renew(lease)
  }
  await expect(tag()).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('another deployment is tagging an image with this name'),
  })
  expect(isTagged()).toBe(false)
})

test('stops waiting for the name when the deployment is stopped', async () => {
  const { ports, tag, isTagged } = built()
  await ports.leases.acquire(lock, 'another', 10_000)
  const stop = new AbortController()
  ports.clock.sleep = async () => stop.abort(new Error('stopped'))
  await expect(tag(stop.signal)).rejects.toThrow('stopped')
  expect(isTagged()).toBe(false)
})

test.each(['docker/dockerfile:mine', 'index.docker.io/docker/dockerfile-upstream'])(
  '403: %s is a name of a frontend that builds by any stack trust',
  async (reference) => {
    const { tag, isTagged } = built({ reference })
    await expect(tag()).rejects.toMatchObject({ status: 403 })
    expect(isTagged()).toBe(false)
    const host = built({ reference, reach: 'host' })
    await host.tag()
    expect(host.isTagged()).toBe(true)
  },
)

test('tags after a slow check if no other build wants the name', async () => {
  const { ports, tag, isTagged } = built()
  const { find } = ports.owners
  ports.owners.find = async (thing) => {
    ports.clock.advance(12_000)
    return find(thing)
  }
  await tag()
  expect(isTagged()).toBe(true)
})

test('409: sets no tag if another build acquired the name during a slow check', async () => {
  const { ports, tag, isTagged } = built()
  const { find } = ports.owners
  ports.owners.find = async (thing) => {
    ports.clock.advance(12_000)
    expect(await ports.leases.acquire(lock, 'another', 10_000)).toBeDefined()
    return find(thing)
  }
  await expect(tag()).rejects.toMatchObject({ status: 409 })
  expect(isTagged()).toBe(false)
})
