import { expect, test } from 'vitest'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import create from './create.ts'
import get from './get.ts'
import list from './list.ts'
import reencrypt from './reencrypt.ts'
import remove from './remove.ts'

const limited = { username: 'lab', role: 'admin', scopeTags: ['lab'] }

test('200: lists the keys, the current one first', async () => {
  const ports = memoryPorts()
  await reencrypt.with(ports)()
  await call(create, { ports, as: 'admin' })
  expect((await call(list, { ports, as: 'admin' })).json).toMatchObject([
    { id: 'key-2', current: true, in_use: true, created_at: expect.any(String) },
    { id: 'key-1', current: false, in_use: true, created_at: null },
  ])
  const one = async (id: string) => (await call(get, { ports, as: 'admin', path: { id } })).json
  const both = [await one('key-2'), await one('key-1')]
  expect(both).toEqual((await call(list, { ports, as: 'admin' })).json)
})

test('201: a new key becomes current, and older values are re-encrypted', async () => {
  const ports = memoryPorts()
  ports.secrets.values.set('a text', 'key-1')
  expect((await call(create, { ports, as: 'admin' })).json).toMatchObject({ id: 'key-2' })
  await reencrypt.with(ports)()
  expect(ports.secrets.values.get('a text')).toBe('key-1')
  ports.clock.advance(5000)
  await reencrypt.with(ports)()
  expect(ports.secrets.values.get('a text')).toBe('key-2')
  const keys = (await call(list, { ports, as: 'admin' })).json
  expect(keys.map((key: { in_use: boolean }) => key.in_use)).toEqual([true, false])
  const { rows } = await ports.audit.list({ action: 'secret-keys.reencrypt', limit: 9 })
  expect(rows).toMatchObject([{ actor: 'service', values: { changed: 1 } }])
})

test('204: deletes a key that encrypts nothing', async () => {
  const ports = memoryPorts()
  await call(create, { ports, as: 'admin' })
  expect((await call(remove, { ports, as: 'admin', path: { id: 'key-1' } })).status).toBe(204)
  expect((await call(list, { ports, as: 'admin' })).json).toHaveLength(1)
})

test('409: keeps a key that is in use, and re-encrypts its values', async () => {
  const ports = memoryPorts()
  await call(create, { ports, as: 'admin' })
  ports.clock.advance(5000)
  await reencrypt.with(ports)()
  // Written by a process that does not know the new key yet.
  ports.secrets.values.set('late', 'key-1')
  const answer = await call(remove, { ports, as: 'admin', path: { id: 'key-1' } })
  expect(answer.status).toBe(409)
  await reencrypt.with(ports)()
  expect((await call(remove, { ports, as: 'admin', path: { id: 'key-1' } })).status).toBe(204)
})

test('409: the current key, or a new key while the key is configured', async () => {
  const ports = memoryPorts()
  expect((await call(remove, { ports, as: 'admin', path: { id: 'key-1' } })).status).toBe(409)
  ports.secrets.stored[0] = { ...present(ports.secrets.stored[0]), source: 'environment' }
  expect((await call(create, { ports, as: 'admin' })).status).toBe(409)
})

test('401 and 403: no credential, no permission, or an admin of some hosts', async () => {
  const path = { id: 'key-1' }
  expect((await call(list)).status).toBe(401)
  for (const as of ['operator', 'viewer'] as const) {
    expect((await call(list, { as })).status).toBe(403)
    expect((await call(get, { as, path })).status).toBe(403)
  }
  expect((await call(create, { as: limited })).status).toBe(403)
  expect((await call(remove, { as: limited, path })).status).toBe(403)
})

test('403: the error names the limited scope', async () => {
  expect((await call(create, { as: limited })).json.error).toContain('limited to some hosts')
})

test('404: unknown key', async () => {
  const { status, json } = await call(get, { as: 'admin', path: { id: 'none' } })
  expect([status, json.error]).toEqual([404, 'key none: there is no such key'])
})
