import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import { expectLocal, expectUnknownHost, expectUnreachable } from '../../local/harness/host-list.ts'
import { signIn } from '../../local/harness/sign-in.ts'
import { givenHost, world } from '../../local/harness/world.ts'
import { requestsPerCaller } from '../core/access/caller-queues.ts'
import { internalError } from '../core/errors.ts'
import list from './list.ts'

test('200: lists the volumes of the local host', () => expectLocal(list, 'shop_data'))
test('200: host=all names hosts that do not respond', () => expectUnreachable(list))

test('200: the bytes of each volume; null if its driver cannot tell', async () => {
  const { ports, engine } = world()
  for (const name of ['films', 'empty', 'share']) {
    engine.state.volumes.set(name, { name, labels: {} })
  }
  engine.state.archives.set('volume films', Buffer.alloc(2048))
  engine.state.unmeasured.add('share')
  const { json } = await call(list, { ports, as: 'viewer' })
  const place = { host_id: 'local', host_name: expect.any(String) }
  expect(json).toEqual([
    { name: 'empty', bytes: 0, ...place },
    { name: 'films', bytes: 2048, ...place },
    { name: 'share', bytes: null, ...place },
  ])
})

test('200: host=all waits for a host that measures longer than other lists take', async () => {
  const here = world()
  const slow = await givenHost(here, 'slow')
  slow.engine.state.volumes.set('films', { name: 'films', labels: {} })
  const sizes = slow.engine.volumeSizes
  slow.engine.volumeSizes = async () => {
    here.ports.clock.advance(50_000)
    return sizes()
  }
  const { json } = await call(list, { ports: here.ports, as: 'viewer', query: { host: 'all' } })
  expect(json).toMatchObject({ items: [{ name: 'films', bytes: 0 }], unreachable_hosts: [] })
})

test('500: the Engine does not measure in time', async () => {
  const { ports, engine } = world()
  const words = 'The Docker Engine of host local did not respond within 60 s (GET /system/df)'
  engine.volumeSizes = async () => {
    throw internalError(words, { reason: 'engine-busy' })
  }
  const { status, json } = await call(list, { ports, as: 'viewer' })
  expect([status, json.detail ?? json.message ?? json.error]).toEqual([500, words])
})

test('200: the limit of requests per account holds', async () => {
  const { ports, engine } = world()
  const waiting: (() => void)[] = []
  engine.volumeSizes = async () => {
    await new Promise<void>((resolve) => waiting.push(resolve))
    return []
  }
  const token = await signIn(ports, 'viewer')
  const asked = Array.from({ length: requestsPerCaller + 1 }, () =>
    call(list, { ports, as: { token } }),
  )
  await expect.poll(() => waiting.length).toBe(requestsPerCaller)
  for (const end of waiting.splice(0)) end()
  await expect.poll(() => waiting.length).toBe(1)
  for (const end of waiting) end()
  expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([200]))
})

test('403 and 404: a host out of scope, an unknown host', async () => {
  const { ports } = world()
  const as = { username: 'lab', role: 'viewer', scopeTags: ['lab'] }
  expect((await call(list, { ports, as, query: { host: 'local' } })).status).toBe(403)
  expect((await call(list, { ports, as, query: { host: 'all' } })).json.items).toEqual([])
  await expectUnknownHost(list)
})
