import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { feedWorld } from '../../local/harness/feeds.ts'
import { givenRole } from '../../local/harness/roles.ts'
import { signIn } from '../../local/harness/sign-in.ts'
import { givenContainer, world } from '../../local/harness/world.ts'
import config from '../stacks/config.ts'
import contents from '../stacks/contents/get.ts'
import create from '../stacks/create.ts'
import deploy from '../stacks/deploy.ts'
import diff from '../stacks/diff.ts'
import file from '../stacks/file/get.ts'
import getStack from '../stacks/get.ts'
import top from '../stacks/services/top.ts'
import update from '../stacks/update.ts'
import archive from './archive/get.ts'
import get from './get.ts'

async function reading() {
  const here = world()
  const { ports, engine } = here
  const path = { name: 'shop' }
  const compose =
    'services: {web: {image: busybox:latest, command: sleep 60, environment: {A: "${TOKEN}"}}}'
  const as = 'admin' as const
  await call(create, { ports, as, body: { ...path, compose, env: 'TOKEN=hush' } })
  await call(deploy, { ports, as, path, body: {} })
  await call(update, { ports, as, path, body: { env: 'TOKEN=hush2' } })
  const id = await givenContainer(here, 'one', { env: ['TOKEN=hush'] })
  present(engine.state.containers.get(id)).uploads = { '/etc/a': 'one' }
  const rows = async () => {
    const found = (await ports.audit.list({ limit: 100 })).rows
    return found.filter(({ at, outcome }) => at >= ports.clock.now() && outcome === 'succeeded')
  }
  ports.clock.advance(60_000)
  return { ...here, rows }
}

test('a row for files of a container, once a minute for a path', async () => {
  const { ports, rows } = await reading()
  const as = { token: await signIn(ports, 'operator') }
  const request = { ports, as, route: 'GET /containers/{id}/archive' }
  const read = (query: Record<string, string>) =>
    call(archive, { ...request, path: { id: 'one' }, query })
  await read({ path: '/etc/a' })
  await read({ path: '/etc/a', offset: '1' })
  await read({ path: '/etc', stat: 'true' })
  expect(await rows()).toMatchObject([
    {
      action: 'containers.archive.read',
      username: 'operator',
      subject: { kind: 'containers', id: 'one' },
      hosts: ['local'],
      values: { path: '/etc/a' },
    },
  ])
  expect((await read({ path: '/none' })).status).toBe(404)
  expect(await rows()).toHaveLength(1)
  ports.clock.advance(60_000)
  await read({ path: '/etc/a' })
  expect(await rows()).toHaveLength(1)
})

test('a row for a feed of files', async () => {
  const { ports, rows } = await reading()
  await using service = await feedWorld({ ports })
  await (await service.open('/ws/archive/one?path=/etc/a', 'operator')).ended
  const found = (await rows()).filter(({ action }) => action === 'ws.archive')
  expect(found).toMatchObject([{ username: 'operator', values: { path: '/etc/a' } }])
})

test('a row for the environment of a container, for callers who see its values', async () => {
  const { ports, rows } = await reading()
  const request = { ports, path: { id: 'one' }, route: 'GET /containers/{id}' }
  expect((await call(get, { ...request, as: 'viewer' })).text).not.toContain('hush')
  expect(await rows()).toEqual([])
  expect((await call(get, { ...request, as: 'admin' })).text).toContain('hush')
  expect(await rows()).toMatchObject([{ action: 'containers.read', username: 'admin' }])
})

const stackReads = [
  ['stacks.read', getStack, { name: 'shop' }, {}],
  ['stacks.file.read', file, { name: 'shop' }, { path: '.env' }],
  ['stacks.contents.read', contents, { name: 'shop' }, {}],
  ['stacks.config.read', config, { name: 'shop' }, {}],
  ['stacks.diff.read', diff, { name: 'shop' }, {}],
  ['stacks.services.top.read', top, { name: 'shop', service: 'web' }, {}],
] as const

test.each(stackReads)('a row for %s with its secrets', async (action, endpoint, path, query) => {
  const { ports, rows, ...here } = await reading()
  const words = action.split('.').slice(1, -1)
  const route = `GET /stacks/{name}/${words.join('/').replace('services', 'services/{service}')}`
  const request = { ports, path, query, route: route.replace(/\/$/, '') }
  const without = await givenRole({ ports, ...here }, ['stacks:read'])
  const ask = endpoint as typeof getStack
  expect((await call(ask, { ...request, as: without })).text).not.toContain('hush')
  expect(await rows()).toEqual([])
  expect((await call(ask, { ...request, as: 'admin' })).status).toBe(200)
  expect(await rows()).toMatchObject([
    { action, username: 'admin', subject: { kind: 'stacks', id: 'shop' }, hosts: ['local'] },
  ])
})

test('500: the secret is not returned if its row cannot be written', async () => {
  const { ports } = await reading()
  ports.audit.recordRead = async () => {
    throw new Error('the store does not answer')
  }
  const request = { ports, path: { id: 'one' }, route: 'GET /containers/{id}' }
  const { status, text } = await call(get, { ...request, as: 'admin' })
  expect([status, text.includes('hush')]).toEqual([500, false])
})

test('a read of secrets is no event', async () => {
  const { ports } = await reading()
  await using service = await feedWorld({ ports })
  const events = await service.open('/ws/events')
  await call(get, { ports, as: 'admin', path: { id: 'one' }, route: 'GET /containers/{id}' })
  await call(getStack, { ports, as: 'admin', path: { name: 'shop' }, route: 'GET /stacks/{name}' })
  await ports.audit.append({
    ...present((await ports.audit.list({ limit: 1 })).rows[0]),
    id: 'next',
    action: 'volumes.delete',
  })
  expect(await events.json()).toMatchObject({ kind: 'volume.delete' })
})
