import { expect, test } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { givenRole } from '../../local/harness/roles.ts'
import type { TestCaller } from '../../local/harness/sign-in.ts'
import { givenContainer, givenHost, givenStack, world } from '../../local/harness/world.ts'
import list from './list.ts'
import remove from './remove.ts'

const { signal } = new AbortController()

async function withImage() {
  const here = world()
  here.engine.state.registry.add('registry.example.org:5000/team/app:1')
  const image = await here.engine.pullImage('registry.example.org:5000/team/app:1', signal)
  const ask = (id: string, query = {}, as: TestCaller = 'admin') =>
    call(remove, { ports: here.ports, as, path: { id }, query })
  const listed = async () =>
    (await call(list, { ports: here.ports, as: 'operator' })).json.map((one: Json) => one.id)
  return { ...here, image, ask, listed }
}

test('204: removes an image by name or ID, and updates the list at once', async () => {
  const { ask, engine, image, listed } = await withImage()
  const [name = ''] = image.tags
  expect(await listed()).toContain(image.id)
  expect((await ask(name)).status).toBe(204)
  expect(await listed()).not.toContain(image.id)
  const again = await engine.pullImage(name, signal)
  expect((await ask(again.id)).status).toBe(204)
  expect(await listed()).not.toContain(again.id)
})

test('204: removes the image of a stopped container with force', async () => {
  const here = await withImage()
  await givenContainer(here, 'one', { started: false })
  const before = await here.listed()
  expect((await here.ask('busybox:latest')).status).toBe(409)
  expect(await here.listed()).toEqual(before)
  expect((await here.ask('busybox:latest', { force: true })).status).toBe(204)
  expect(await here.listed()).toEqual([here.image.id])
})

test('400: an invalid name, all hosts, or an invalid flag', async () => {
  const { ask } = await withImage()
  for (const id of ['../../version', 'a//b', '-a', 'a?force=1', 'a b', 'a/./b', 'a%2Fb']) {
    expect((await ask(id)).status, id).toBe(400)
  }
  expect((await ask('busybox', { host: 'all' })).status).toBe(400)
  expect((await ask('busybox', { force: 'yes' })).status).toBe(400)
  expect((await ask('busybox', { noprune: true })).status).toBe(400)
})

test('401 and 403: no credential, a viewer, or a host out of scope', async () => {
  const here = await withImage()
  await givenHost(here, 'far', { tags: ['lab'] })
  const asked = { ports: here.ports, path: { id: here.image.id } }
  expect((await call(remove, asked)).status).toBe(401)
  expect((await call(remove, { ...asked, as: 'viewer' })).status).toBe(403)
  const as = { username: 'ada', role: 'operator', scopeTags: ['lab'] }
  expect((await call(remove, { ...asked, as, query: { host: 'local' } })).status).toBe(403)
  expect(await here.listed()).toContain(here.image.id)
})

test('403: a name that no stack builds, or its image, without stacks:privileged', async () => {
  const { ask, image, listed, engine } = await withImage()
  const [name = ''] = image.tags
  for (const id of [name, image.id, image.id.slice('sha256:'.length)]) {
    const { status, json } = await ask(id, { force: true }, 'operator')
    expect([status, json.error]).toEqual([403, expect.stringContaining(`image ${name}: no stack`)])
  }
  expect(await listed()).toContain(image.id)
  // An image without a name has nothing that others run it by.
  engine.state.images.delete(name)
  engine.state.unnamed.add(image.id)
  engine.state.touch()
  expect((await ask(image.id, {}, 'operator')).status).toBe(204)
})

test('403: a name that a stack builds, for callers who may not deploy that stack', async () => {
  const here = await withImage()
  const [name = ''] = here.image.tags
  await givenStack(here, 'shop', { deployed: false })
  const owner = { hostId: 'local', kind: 'image' as const, name, stack: 'shop', at: 0 }
  await here.ports.owners.claim(owner)
  const remover = await givenRole(here, ['images:delete', 'images:read'])
  const refused = await here.ask(name, {}, remover)
  expect([refused.status, refused.json.error]).toEqual([
    403,
    expect.stringContaining('another stack builds it'),
  ])
  expect((await here.ask(name, {}, 'operator')).status).toBe(204)
})

test('409: keeps an image that a container uses', async () => {
  const here = await withImage()
  await givenContainer(here, 'one')
  const [busybox] = (await here.engine.images()).filter(({ tags }) => tags[0]?.startsWith('busy'))
  expect((await here.ask('busybox')).status).toBe(409)
  expect((await here.ask(present(busybox).id, { force: true })).status).toBe(409)
  expect(await here.listed()).toContain(present(busybox).id)
})
