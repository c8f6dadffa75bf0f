import { expect, test } from 'vitest'
import { hostNameOf } from '../../adapters/testing/memory/hosts.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { givenRole } from '../../local/harness/roles.ts'
import type { TestCaller } from '../../local/harness/sign-in.ts'
import { givenHost, givenStack, type World, world } from '../../local/harness/world.ts'
import enroll from '../agents/enroll.ts'
import type { HostAgent } from '../core/records/host.ts'
import offer from './enrolment/create.ts'
import get from './get.ts'
import remove from './remove.ts'
import revoke from './revoke.ts'

const path = { id: 'far' }
const name = hostNameOf('far')

test.each([{}, { force: 'true' }])('409: of a version before a change, with %j', async (query) => {
  const here = world()
  await givenHost(here, 'far')
  const { ports } = here
  const read = async () => (await call(get, { ports, as: 'admin', path })).headers.etag
  const etag = present(await read())
  // The tags are changed while the request runs.
  const { list } = ports.stacks
  const { find, replace } = ports.hosts
  let isChanged = false
  const changeOnce = async () => {
    const host = present(await find('far'))
    if (!isChanged) await replace({ ...host, tags: ['office'] })
    isChanged = true
  }
  ports.stacks.list = async () => {
    await changeOnce()
    return list()
  }
  ports.hosts.replace = async (host) => {
    await changeOnce()
    return replace(host)
  }
  const ask = async (match: string) =>
    call(remove, { ports, as: 'admin', path, query, headers: { 'If-Match': match } })
  const { status, headers } = await ask(etag)
  expect([status, headers['x-error-reason']]).toEqual([409, 'stale-revision'])
  expect(await find('far')).toMatchObject({ tags: ['office'], agent: { state: 'enrolled' } })
  expect((await ask(present(await read()))).status).toBe(204)
})

/** Enrols the host `far` with a new token. */
async function enrolAgain({ ports }: Pick<World, 'ports'>) {
  const { json } = await call(offer, { ports, as: 'admin', path })
  const csr = '-----BEGIN CERTIFICATE REQUEST-----\n-----END CERTIFICATE REQUEST-----'
  const body = { token: json.token, csr, agent_version: '1', hostname: 'far' }
  expect((await call(enroll, { ports, body })).status).toBe(201)
}

test('409: of a version before it was revoked and enrolled again, or got a token', async () => {
  const here = world()
  await givenHost(here, 'far')
  const { ports } = here
  const read = async () => (await call(get, { ports, as: 'admin', path })).headers.etag
  const ask = async (match: string | undefined) =>
    call(remove, { ports, as: 'admin', path, headers: { 'If-Match': present(match) } })
  const first = await read()
  expect((await ask(first)).status).toBe(204)
  await enrolAgain(here)
  expect((await ask(first)).headers['x-error-reason']).toBe('stale-revision')
  const second = await read()
  await call(offer, { ports, as: 'admin', path })
  expect((await ask(second)).headers['x-error-reason']).toBe('stale-revision')
  expect((await ports.hosts.find('far'))?.agent?.state).toBe('enrolled')
  expect((await ask(await read())).status).toBe(204)
})

test('409: force with If-Match keeps a host that is enrolled again during the request', async () => {
  const here = await givenPlaced()
  const { ports } = here
  const { etag } = (await call(get, { ports, as: 'admin', path })).headers
  const { remove: removeStack } = ports.stacks
  ports.stacks.remove = async (id) => {
    if (id === 'shop') await enrolAgain(here)
    return removeStack(id)
  }
  const query = { force: 'true', stacks: 'shop,blog' }
  const headers = { 'If-Match': present(etag) }
  const refused = await call(remove, { ports, as: 'admin', path, query, headers })
  expect([refused.status, refused.headers['x-error-reason']]).toEqual([409, 'stale-revision'])
  expect((await ports.hosts.find('far'))?.agent?.state).toBe('enrolled')
})

test('409: the host still has stacks, also a revoked one', async () => {
  const here = world()
  await givenHost(here, 'far')
  await givenStack(here, 'shop', { host: 'far', deployed: false })
  const { ports } = here
  expect((await call(remove, { ports, as: 'admin', path })).status).toBe(204)
  const query = { force: 'true' }
  const { status, json } = await call(remove, { ports, as: 'admin', path, query })
  expect([status, json.error]).toEqual([409, `host ${name}: stacks are placed on it: shop`])
})

test('403: an operator, or an admin of some hosts', async () => {
  const here = world()
  await givenHost(here, 'far', { tags: ['lab'] })
  const { ports } = here
  expect((await call(remove, { ports, as: 'operator', path })).status).toBe(403)
  const as = { username: 'lars', role: 'admin', scopeTags: ['lab'] }
  expect((await call(remove, { ports, as, path })).status).toBe(403)
})

/** Changes the agent of the host `far` as its store has it. */
async function changeAgent({ hosts }: World['ports'], more: Partial<HostAgent>) {
  const host = present(await hosts.find('far'))
  await hosts.replace({ ...host, agent: { ...present(host.agent), ...more } })
}

/** The agent of a host that never enrolled. */
const pending = { state: 'pending', certificateExpiresAt: null } as const

test('204: revokes a host, also when repeated, and deletes it only with force', async () => {
  const here = world()
  await givenHost(here, 'far')
  const { ports } = here
  await changeAgent(ports, { certificateExpiresAt: ports.clock.now() })
  const ask = (query = {}) => call(remove, { ports, as: 'admin', path, query })
  for (let tries = 0; tries < 2; tries += 1) {
    expect((await ask()).status).toBe(204)
    expect((await call(get, { ports, as: 'admin', path })).json.status).toBe('revoked')
  }
  expect((await ask({ force: 'true' })).status).toBe(204)
  expect((await call(get, { ports, as: 'admin', path })).status).toBe(404)
  expect((await ask({ force: 'true' })).status).toBe(404)
})

test('204: a revoked host that waits for its next agent is revoked again, not deleted', async () => {
  const here = world()
  await givenHost(here, 'far')
  const { ports } = here
  await changeAgent(ports, { certificateExpiresAt: ports.clock.now() })
  await call(remove, { ports, as: 'admin', path })
  await call(offer, { ports, as: 'admin', path })
  expect((await call(get, { ports, as: 'admin', path })).json.status).toBe('pending')
  expect((await call(remove, { ports, as: 'admin', path })).status).toBe(204)
  const after = present(await ports.hosts.find('far'))
  expect(after.agent).toMatchObject({ state: 'revoked', enrolment: null })
})

test('400: the local host has no agent', async () => {
  const { ports } = world()
  const { status } = await call(remove, { ports, as: 'admin', path: { id: 'local' } })
  expect(status).toBe(400)
})

async function givenPlaced() {
  const here = world()
  const far = await givenHost(here, 'far')
  await givenStack(here, 'shop', { host: 'far' })
  await givenStack(here, 'blog', { host: 'far', deployed: false })
  await givenStack(here, 'here', { deployed: false })
  far.off()
  const ask = (query: Record<string, string> = {}, as: TestCaller = 'admin') =>
    call(remove, { ports: here.ports, as, path, query })
  const left = async () => (await here.ports.stacks.list()).map(({ id }) => id).sort()
  return { ...here, ask, left }
}

const placedText = `host ${name}: stacks are placed on it: blog, shop`

test.each([['shop,blog'], ['shop', 'blog'], ['shop,', 'blog,shop']])(
  '204: force forgets exactly the stacks named by %j %j and deletes the host',
  async (...stacks) => {
    const { ports, left } = await givenPlaced()
    const { id } = present((await ports.deployments.listByStack('shop', 1))[0])
    const query = { force: 'true', stacks }
    expect((await call(remove, { ports, as: 'admin', path, query })).status).toBe(204)
    expect(await left()).toEqual(['here'])
    expect(await ports.deployments.find('shop', id)).toBeUndefined()
    expect((await call(get, { ports, as: 'admin', path })).status).toBe(404)
  },
)

test.each(['', 'shop', 'shop,blog,here', 'shop,other'])(
  '409: lists the stacks and changes nothing if %j are named',
  async (stacks) => {
    const { ports, ask, left } = await givenPlaced()
    const { status, json, headers } = await ask({ force: 'true', ...(stacks && { stacks }) })
    expect([status, json.error, headers['x-error-reason']]).toEqual([409, placedText, 'in-use'])
    expect(await left()).toEqual(['blog', 'here', 'shop'])
    expect((await call(get, { ports, as: 'admin', path })).json.status).not.toBe('revoked')
  },
)

test('409: a stack was placed on the host since the caller listed them', async () => {
  const { ports, ask, left } = await givenPlaced()
  const { remove: removeStack } = ports.stacks
  const blog = present(await ports.stacks.find('blog'))
  ports.stacks.remove = async (id) => {
    await ports.stacks.create({ ...blog, id: 'new' })
    return removeStack(id)
  }
  const { status, json } = await ask({ force: 'true', stacks: 'blog,shop' })
  expect([status, json.error]).toEqual([409, `host ${name}: stacks are placed on it: new`])
  expect(await left()).toEqual(['here', 'new'])
})

test('409: keeps a stack while a deployment of it runs', async () => {
  const { ports, ask, left } = await givenPlaced()
  await ports.leases.acquire('stack:shop', 'process-0/dead', 10_000)
  const { status, headers } = await ask({ force: 'true', stacks: 'blog,shop' })
  expect([status, headers['x-error-reason']]).toEqual([409, 'lease-held'])
  expect(await left()).toContain('shop')
})

test('403: a role without stacks:delete cannot forget stacks, nor see their names', async () => {
  const here = await givenPlaced()
  const { ports, ask, left } = here
  const as = await givenRole(here, ['hosts:manage', 'hosts:read'])
  const listed = await ask({ force: 'true' }, as)
  expect([listed.status, listed.json.error]).toEqual([
    409,
    `host ${name}: stacks are placed on it: 2`,
  ])
  expect((await ask({ force: 'true', stacks: 'blog,shop' }, as)).status).toBe(403)
  expect(await left()).toEqual(['blog', 'here', 'shop'])
  expect((await ports.hosts.find('far'))?.agent?.state).toBe('enrolled')
})

test('403: an admin of some hosts cannot forget their stacks', async () => {
  const here = world()
  await givenHost(here, 'far', { tags: ['lab'] })
  await givenStack(here, 'shop', { host: 'far', deployed: false })
  const as = { username: 'lars', role: 'admin', scopeTags: ['lab'] }
  const query = { force: 'true', stacks: 'shop' }
  expect((await call(remove, { ports: here.ports, as, path, query })).status).toBe(403)
  expect(await here.ports.stacks.find('shop')).toBeDefined()
})

test('204: a host that never enrolled is deleted at once, unless it has stacks', async () => {
  const here = world()
  const { ports } = here
  await givenHost(here, 'far')
  await changeAgent(ports, pending)
  await givenStack(here, 'shop', { host: 'far', deployed: false })
  expect((await call(remove, { ports, as: 'admin', path })).status).toBe(409)
  await ports.stacks.remove('shop')
  expect((await call(remove, { ports, as: 'admin', path })).status).toBe(204)
  expect((await call(get, { ports, as: 'admin', path })).status).toBe(404)
})

test('204: a host that was revoked before it enrolled is deleted at once', async () => {
  const here = world()
  const { ports } = here
  await givenHost(here, 'far')
  await changeAgent(ports, pending)
  expect((await call(revoke, { ports, as: 'admin', path })).json.status).toBe('revoked')
  expect((await call(remove, { ports, as: 'admin', path })).status).toBe(204)
  expect(await ports.hosts.find('far')).toBeUndefined()
})

/** Enrols the host as soon as its stacks are looked up, which is the last step of a removal. */
async function enrollingMeanwhile() {
  const here = world()
  const { ports } = here
  await givenHost(here, 'far')
  await changeAgent(ports, pending)
  const { list } = ports.stacks
  const enrolled = { state: 'enrolled', certificateExpiresAt: ports.clock.now() } as const
  return {
    ports,
    enrolAt(lookUp: number) {
      let lookUps = 0
      ports.stacks.list = async () => {
        lookUps += 1
        if (lookUps === lookUp) await changeAgent(ports, enrolled)
        return list()
      }
    },
  }
}

test('204: a host that enrols during the request is revoked, not deleted', async () => {
  const { ports, enrolAt } = await enrollingMeanwhile()
  enrolAt(1)
  expect((await call(remove, { ports, as: 'admin', path })).status).toBe(204)
  expect((await ports.hosts.find('far'))?.agent?.state).toBe('revoked')
})

test('204: force revokes a host again that enrols during the request, and deletes it', async () => {
  const { ports, enrolAt } = await enrollingMeanwhile()
  enrolAt(2)
  const { hosts } = ports
  const removed: unknown[] = []
  const { remove: removeHost } = hosts
  hosts.remove = async (...given) => {
    removed.push((await hosts.find('far'))?.agent?.state)
    return removeHost(...given)
  }
  const query = { force: 'true' }
  expect((await call(remove, { ports, as: 'admin', path, query })).status).toBe(204)
  expect([removed, await hosts.find('far')]).toEqual([['enrolled', 'revoked'], undefined])
})

test('400: stacks without force', async () => {
  const { ask } = await givenPlaced()
  expect((await ask({ stacks: 'blog,shop' })).status).toBe(400)
})
