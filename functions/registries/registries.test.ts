import { expect, test } from 'vitest'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { call } from '../../local/harness/call.ts'
import create from './create.ts'
import get from './get.ts'
import list from './list.ts'
import remove from './remove.ts'
import update from './update.ts'

const body = { address: 'Registry.example.org:5000', username: 'puller', password: 'a token' }
const path = { id: 'registry.example.org:5000' }
const limited = { username: 'lab', role: 'admin', scopeTags: ['lab'] }

async function withOne() {
  const ports = memoryPorts()
  const made = await call(create, { ports, as: 'operator', body })
  return { ports, made }
}

test('201: stores credentials under the address and never returns them', async () => {
  const { ports, made } = await withOne()
  expect(made.status).toBe(201)
  expect(made.json).toMatchObject({ id: path.id, address: path.id, username: 'puller' })
  const listed = await call(list, { ports, as: 'operator' })
  expect(listed.json).toEqual([made.json])
  const got = await call(get, { ports, as: 'operator', path })
  expect(got.json).toEqual(made.json)
  expect(made.text + listed.text + got.text).not.toContain('a token')
  expect(await ports.registries.find(path.id)).toMatchObject({ password: 'a token' })
})

test('201: Docker Hub has one name, and an address is a host', async () => {
  for (const address of ['docker.io', 'https://index.docker.io/v1/', 'registry-1.docker.io']) {
    const made = await call(create, { as: 'admin', body: { ...body, address } })
    expect(made.json.id).toBe('docker.io')
  }
  for (const address of ['', 'a b', 'a/b', 'https://', 'user@host', '-a', 'a:b', '../a']) {
    const refused = await call(create, { as: 'admin', body: { ...body, address } })
    expect(refused.status, address).toBe(400)
  }
})

test('200: keeps omitted fields', async () => {
  const { ports } = await withOne()
  ports.clock.advance(1000)
  const changed = await call(update, { ports, as: 'operator', path, body: { password: 'other' } })
  expect(changed.status).toBe(200)
  expect(changed.text).not.toContain('other')
  expect(await ports.registries.find(path.id)).toMatchObject({
    username: 'puller',
    password: 'other',
  })
})

test('200: returns an empty list at first', async () => {
  expect((await call(list, { as: 'admin' })).json).toEqual([])
})

test('204: deletes the credentials', async () => {
  const { ports } = await withOne()
  expect((await call(remove, { ports, as: 'operator', path })).status).toBe(204)
  expect(await ports.registries.list()).toEqual([])
})

test('401 and 403: no credential, no permission, or an admin of some hosts', async () => {
  expect((await call(list)).status).toBe(401)
  expect((await call(list, { as: 'viewer' })).status).toBe(403)
  expect((await call(get, { path })).status).toBe(401)
  expect((await call(get, { as: 'viewer', path })).status).toBe(403)
  expect((await call(create, { as: limited, body })).status).toBe(403)
  expect((await call(update, { as: limited, path, body: {} })).status).toBe(403)
  expect((await call(remove, { as: limited, path })).status).toBe(403)
})

test('403: the error names the limited scope', async () => {
  expect((await call(create, { as: limited, body })).json.error).toContain('limited to some hosts')
})

test.each(['localhost:5000', '127.0.0.1:2375', 'nas', 'nas.lan', '[::1]:5000', '0x7f.1'])(
  '403: an operator cannot add a registry like %s, an admin can',
  async (address) => {
    const sent = { ...body, address }
    const refused = await call(create, { as: 'operator', body: sent })
    expect([refused.status, refused.json.error]).toEqual([
      403,
      'address: a registry without a public DNS name exceeds your permissions: stacks:privileged',
    ])
    expect((await call(create, { as: 'admin', body: sent })).status).toBe(201)
  },
)

test('409: it already has credentials, or they are being changed', async () => {
  const { ports } = await withOne()
  expect((await call(create, { ports, as: 'admin', body })).status).toBe(409)
  ports.registries.replace = async () => undefined
  expect((await call(update, { ports, as: 'admin', path, body: {} })).status).toBe(409)
})

test('404: there are no credentials for that address', async () => {
  const { ports } = await withOne()
  const { status, json } = await call(get, { ports, as: 'admin', path: { id: 'docker.io' } })
  expect([status, json.error]).toEqual([404, 'there is no such registry'])
})
