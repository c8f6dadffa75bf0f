import { expect, test } from 'vitest'
import type { Json } from '../../../adapters/testing/json.ts'
import { call } from '../../../local/harness/call.ts'
import { givenContainer, givenHost, givenStack, shop, world } from '../../../local/harness/world.ts'
import createJob from '../../backup-jobs/create.ts'
import updateJob from '../../backup-jobs/update.ts'
import listContainers from '../../containers/list.ts'
import removeContainer from '../../containers/remove.ts'
import update from '../../hosts/update.ts'
import pull from '../../images/pull.ts'
import createStack from '../../stacks/create.ts'
import deploy from '../../stacks/deploy.ts'
import listStacks from '../../stacks/list.ts'

/** Returns a world with a second host: its id is `h2`, its name `Attic NAS`. */
async function named({ tags = [] as string[] } = {}) {
  const here = world()
  const far = await givenHost(here, 'h2', { tags })
  const body = { name: 'Attic NAS' }
  await call(update, { ports: here.ports, as: 'admin', path: { id: 'h2' }, body })
  return { ...here, far }
}

test('200: a host is named in a query', async () => {
  const { ports, far } = await named()
  await givenContainer(far, 'one')
  const answers = ['h2', 'attic nas', 'Attic NAS'].map((host) =>
    call(listContainers, { ports, as: 'viewer', query: { host } }),
  )
  for (const { json } of await Promise.all(answers)) {
    expect(json.map((one: Json) => [one.host_id, one.name])).toEqual([['h2', 'one']])
  }
  const query = { host: 'attic nas' }
  const path = { id: 'one' }
  expect((await call(removeContainer, { ports, as: 'admin', path, query })).status).toBe(409)
  const forced = { ...query, force: true }
  expect((await call(removeContainer, { ports, as: 'admin', path, query: forced })).status).toBe(
    204,
  )
})

test('201: a host is named in a body, and the record has its id', async () => {
  const { ports } = await named()
  const as = 'admin'
  const host = 'attic nas'
  const stack = await call(createStack, { ports, as, body: { name: 'shop', host, compose: shop } })
  expect([stack.status, stack.json.host]).toEqual([201, 'h2'])
  const listed = await call(listStacks, { ports, as, query: { host } })
  expect(listed.json.map((one: Json) => one.name)).toEqual(['shop'])
  const target = { kind: 'local', path: '' }
  const sources = [{ kind: 'stack', name: 'shop' }]
  const job = await call(createJob, { ports, as, body: { name: 'j', host, sources, target } })
  expect([job.status, job.json.host]).toEqual([201, 'h2'])
  const path = { id: job.json.id }
  const kept = await call(updateJob, { ports, as, path, body: { host: 'ATTIC NAS' } })
  expect([kept.status, kept.json.host]).toEqual([200, 'h2'])
  const moved = await call(updateJob, { ports, as, path, body: { host: 'local' } })
  expect(moved.status).toBe(422)
})

test('200: a stack is placed by name, and its own host may be named', async () => {
  const here = await named()
  const { ports } = here
  await givenStack(here, 'shop', { deployed: false })
  const run = (host: string) =>
    call(deploy, { ports, as: 'admin', path: { name: 'shop' }, body: { host } })
  expect((await run('attic nas')).json).toMatchObject({ status: 'succeeded', host: 'h2' })
  expect((await run('ATTIC NAS')).json).toMatchObject({ status: 'succeeded', host: 'h2' })
  expect((await run('local')).status).toBe(409)
})

test('400: `all` where one host is needed', async () => {
  const { ports } = await named()
  const body = { image: 'nginx:1', host: 'all' }
  const { status, json } = await call(pull, { ports, as: 'admin', body })
  expect([status, json.error]).toEqual([
    400,
    'host: `all` is allowed only for lists; name one host',
  ])
})

test('404: a name outside the scope is as unknown as any other', async () => {
  const { ports } = await named({ tags: ['lab'] })
  await call(update, { ports, as: 'admin', path: { id: 'local' }, body: { name: 'office' } })
  const as = { username: 'lena', role: 'operator', scopeTags: ['lab'] }
  const ask = async (host: string) => {
    const { status, text } = await call(listContainers, { ports, as, query: { host } })
    return [status, text.replaceAll(host, 'X')]
  }
  expect((await ask('attic nas'))[0]).toBe(200)
  expect(await ask('office')).toEqual(await ask('mars'))
  expect((await ask('mars'))[0]).toBe(404)
})

test('403: an id wins over a name, also outside the scope', async () => {
  const { ports } = await named({ tags: ['lab'] })
  const nas = await ports.hosts.find('h2')
  if (nas) await ports.hosts.replace({ ...nas, name: 'LOCAL ' })
  const as = { username: 'lena', role: 'viewer', scopeTags: ['lab'] }
  const ask = async (host: string) =>
    (await call(listContainers, { ports, as, query: { host } })).status
  expect(await ask('local')).toBe(403)
})
