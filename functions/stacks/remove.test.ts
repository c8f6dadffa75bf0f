import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import type { TestCaller } from '../../local/harness/sign-in.ts'
import { givenContainer, givenHost, givenStack, world } from '../../local/harness/world.ts'
import { internalError, unprocessable } from '../core/errors.ts'
import deploy from './deploy.ts'
import getDeployment from './deployments/get.ts'
import updateFile from './file/update.ts'
import forget from './forget.ts'
import get from './get.ts'
import recover from './recover-deployments.ts'
import remove from './remove.ts'
import restart from './restart.ts'
import update from './update.ts'

const path = { name: 'shop' }

test('204: removes containers, networks and files, and keeps volumes', async () => {
  const here = world()
  await givenStack(here)
  const asked = { ports: here.ports, as: 'operator' as const, path }
  expect((await call(remove, asked)).status).toBe(204)
  const { containers, networks, volumes, files } = here.engine.state
  expect([containers.size, networks.has('shop_default'), files.size]).toEqual([0, false, 0])
  expect([...volumes.keys()]).toContain('shop_data')
  expect((await call(get, asked)).status).toBe(404)
  expect(await here.ports.deployments.listByStack('shop', 9)).toEqual([])
})

test('204: volumes=true deletes the volumes too', async () => {
  const here = world()
  await givenStack(here)
  expect([...here.engine.state.volumes.keys()]).toEqual(['shop_data'])
  await call(remove, { ports: here.ports, as: 'operator', path, query: { volumes: true } })
  expect(here.engine.state.volumes.size).toBe(0)
})

test('204: a stack that was never deployed', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const asked = { ports: here.ports, as: 'operator' as const, path }
  expect((await call(remove, asked)).status).toBe(204)
  expect((await call(get, asked)).status).toBe(404)
})

test('204: it cannot be deployed during the removal', async () => {
  const here = world()
  await givenStack(here)
  const asked = { ports: here.ports, as: 'operator' as const, path }
  const { writeFiles } = here.engine
  const meanwhile: number[] = []
  here.engine.writeFiles = async (...given) => {
    meanwhile.push((await call(deploy, { ...asked, body: {} })).status)
    return writeFiles(...given)
  }
  expect((await call(remove, asked)).status).toBe(204)
  expect(meanwhile).toEqual([409])
  expect(here.engine.state.containers.size).toBe(0)
})

test('500: keeps a stack whose containers cannot be removed, with the reason', async () => {
  const here = world()
  await givenStack(here)
  here.engine.failing = (step) => (step.action === 'remove' ? internalError('busy') : undefined)
  const asked = { ports: here.ports, as: 'operator' as const, path }
  const { status, json } = await call(remove, asked)
  expect([status, json.error]).toEqual([500, expect.stringContaining('busy')])
  expect((await call(get, asked)).status).toBe(200)
})

async function givenFar() {
  const here = world()
  const far = await givenHost(here, 'far', { tags: ['lab'] })
  await givenStack(here, 'shop', { host: 'far' })
  const ask = (query: Record<string, string>, as: TestCaller = 'operator') =>
    call(remove, { ports: here.ports, as, path, query })
  return { ...here, far, ask }
}

/** Runs `work` instead of the pauses between calls to an Engine that fails. */
function betweenCalls({ clock }: Awaited<ReturnType<typeof givenFar>>['ports'], work: () => void) {
  const sleep = clock.sleep.bind(clock)
  clock.sleep = async (milliseconds, signal) =>
    milliseconds === 2_000 ? work() : sleep(milliseconds, signal)
}

test('500: a stack on an unreachable host stays, and the reason is sent', async () => {
  const { ports, far, ask } = await givenFar()
  far.off()
  const { status, headers } = await ask({})
  expect([status, headers['x-error-reason']]).toEqual([500, 'host-offline'])
  expect(await ports.stacks.find('shop')).toBeDefined()
})

test('204: force forgets a stack on an unreachable host, not who owns its volumes', async () => {
  const { ports, far, ask } = await givenFar()
  far.off()
  expect((await ask({ force: 'true', volumes: 'true' })).status).toBe(204)
  expect(await ports.stacks.find('shop')).toBeUndefined()
  expect(await ports.deployments.listByStack('shop', 9)).toEqual([])
  expect(far.engine.state.containers.size).toBe(2)
  expect((await ports.owners.list('far')).map(({ name }) => name)).toContain('shop_data')
})

test('409: force with If-Match keeps a stack whose files were changed during the request', async () => {
  const { ports, far } = await givenFar()
  far.off()
  const asked = { ports, as: 'operator' as const, path }
  const { etag } = (await call(get, asked)).headers
  const { acquire } = ports.leases
  ports.leases.acquire = async (...given) => {
    const stack = present(await ports.stacks.find('shop'))
    await ports.stacks.replace({ ...stack, contentRevision: stack.contentRevision + 1 })
    return acquire(...given)
  }
  const query = { force: 'true' }
  const conditions = { headers: { 'If-Match': present(etag) } }
  const refused = await call(remove, { ...asked, query, ...conditions })
  expect([refused.status, refused.headers['x-error-reason']]).toEqual([409, 'stale-revision'])
  expect(await ports.stacks.find('shop')).toBeDefined()
  expect((await call(remove, { ...asked, query })).status).toBe(204)
})

test('409: an ETag of a deleted stack is not one of a stack that was created with its name', async () => {
  const here = world()
  const { ports } = here
  const asked = { ports, as: 'operator' as const, path }
  await givenStack(here, 'shop', { deployed: false })
  const headers = { 'If-Match': present((await call(get, asked)).headers.etag) }
  expect((await call(remove, { ...asked, headers })).status).toBe(204)
  ports.clock.advance(1000)
  await givenStack(here, 'shop', { deployed: false })
  const file = { ...asked, query: { path: 'site.conf' } }
  for (const refused of [
    await call(remove, { ...asked, headers }),
    await call(update, { ...asked, headers, body: { env: 'A=1' } }),
    await call(deploy, { ...asked, headers, body: {} }),
    await call(updateFile, { ...file, headers, body: { content: 'a' } }),
  ])
    expect([refused.status, refused.headers['x-error-reason']]).toEqual([409, 'stale-revision'])
  expect((await call(get, asked)).json).toMatchObject({ revision: 1, deployed_revision: null })
})

test.each([
  ['delete', remove, {}],
  ['delete with force', remove, { force: 'true' }],
  ['forget', forget, {}],
  ['restart', restart, {}],
] as const)(
  '409: %s does nothing to a stack that was deleted and created again meanwhile',
  async (_name, operation, query) => {
    const { ports, far } = await givenFar()
    if ('force' in query) far.off()
    const asked = { ports, as: 'operator' as const, path }
    const headers = { 'If-Match': present((await call(get, asked)).headers.etag) }
    const { acquire, acquireIfUnchanged } = ports.leases
    const createAgain = async () => {
      const stack = present(await ports.stacks.find('shop'))
      await ports.stacks.remove('shop')
      await ports.stacks.create({ ...stack, createdAt: stack.createdAt + 1 })
    }
    ports.leases.acquire = async (...given) => createAgain().then(() => acquire(...given))
    ports.leases.acquireIfUnchanged = async (...given) =>
      createAgain().then(() => acquireIfUnchanged(...given))
    const conditions = operation === remove ? { headers } : {}
    const refused = await call(operation, { ...asked, query, ...conditions })
    expect([refused.status, refused.headers['x-error-reason']]).toEqual([409, 'stale-revision'])
    expect(await ports.stacks.find('shop')).toBeDefined()
    expect(far.engine.state.containers.size).toBe(2)
  },
)

test('204: force forgets a stack whose host was deleted', async () => {
  const { ports, ask } = await givenFar()
  await ports.hosts.remove('far')
  ports.engines.byHost.delete('far')
  expect((await ask({ force: 'true' })).status).toBe(204)
  expect(await ports.stacks.find('shop')).toBeUndefined()
})

test('204: force removes containers as usual on a host that answers', async () => {
  const { far, ask } = await givenFar()
  expect((await ask({ force: 'true' })).status).toBe(204)
  expect(far.engine.state.containers.size).toBe(0)
})

test('500: force does not forget a stack on a host that is only slow', async () => {
  const { ports, far, ask } = await givenFar()
  far.engine.offline = internalError('too slow', { reason: 'engine-busy' })
  const { status, headers } = await ask({ force: 'true' })
  expect([status, headers['x-error-reason']]).toEqual([500, 'engine-busy'])
  expect(await ports.stacks.find('shop')).toBeDefined()
})

test('204: force removes containers on a host whose Engine restarts meanwhile', async () => {
  const { ports, far, ask } = await givenFar()
  far.engine.offline = internalError('connection refused', { reason: 'engine-failed' })
  betweenCalls(ports, () => {
    far.engine.offline = undefined
  })
  expect((await ask({ force: 'true' })).status).toBe(204)
  expect(far.engine.state.containers.size).toBe(0)
})

test('204: force forgets a stack on a host whose Engine stays away', async () => {
  const { ports, far, ask } = await givenFar()
  far.engine.offline = internalError('connection refused', { reason: 'engine-failed' })
  let pauses = 0
  betweenCalls(ports, () => {
    pauses += 1
  })
  expect((await ask({ force: 'true' })).status).toBe(204)
  expect([pauses, await ports.stacks.find('shop')]).toEqual([2, undefined])
})

test('500: force does not forget a stack whose containers cannot be removed', async () => {
  const { ports, far, ask } = await givenFar()
  far.engine.failing = (step) => (step.action === 'remove' ? internalError('busy') : undefined)
  expect((await ask({ force: 'true' })).status).toBe(500)
  expect(await ports.stacks.find('shop')).toBeDefined()
})

test('403: force outside the scope of the caller', async () => {
  const { ports, far, ask } = await givenFar()
  far.off()
  const as = { username: 'lars', role: 'operator', scopeTags: ['other'] }
  expect((await ask({ force: 'true' }, as)).status).toBe(403)
  expect(await ports.stacks.find('shop')).toBeDefined()
})

test('409: force while a deployment of the stack runs', async () => {
  const { ports, far, ask } = await givenFar()
  far.off()
  await ports.leases.acquire('stack:shop', 'process-0/dead', 10_000)
  const { status, headers } = await ask({ force: 'true' })
  expect([status, headers['x-error-reason']]).toEqual([409, 'lease-held'])
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
})

const mia = { username: 'mia', role: 'operator' }
const tom = { username: 'tom', role: 'operator' }

const web = 'web: {image: "busybox:latest", command: sleep 60}'
const plain = `services: {${web}}`

/** Returns a world with a stack, and a volume of an earlier one of its name that mia deleted. */
async function withLeftVolume({ deployed = true, compose = plain }) {
  const here = world()
  await givenStack(here)
  await call(remove, { ports: here.ports, as: mia, path })
  here.ports.clock.advance(1000)
  await givenStack(here, 'shop', { deployed, compose })
  const names = () => [...here.engine.state.volumes.keys()]
  expect(names()).toEqual(['shop_data'])
  const ask = (as: TestCaller, query = { volumes: true }) =>
    call(remove, { ports: here.ports, as, path, query })
  return { ...here, names, ask }
}

test.each([
  ['the account that deleted the earlier stack', mia, true],
  ['an account with stacks:privileged', 'admin' as const, true],
  ['the account that deleted the earlier stack, undeployed', mia, false],
])('204: volumes=true deletes what an earlier stack left, for %s', async (_, as, deployed) => {
  const { ask, names, ports } = await withLeftVolume({ deployed })
  expect((await ask(as)).status).toBe(204)
  expect(names()).toEqual([])
  expect(await ports.owners.list('local')).toEqual([])
})

test.each([true, false])(
  '200: a volume that an earlier stack left stays for others, which the answer says: %s',
  async (deployed) => {
    const { ask, names } = await withLeftVolume({ deployed })
    const { status, json } = await ask(tom)
    expect([status, json]).toEqual([
      200,
      {
        warnings: [
          'volume shop_data stays: an earlier stack shop, which mia deleted, left it: ' +
            '`cli volumes delete shop_data` removes it, with stacks:privileged',
        ],
      },
    ])
    expect(names()).toEqual(['shop_data'])
  },
)

test('204: without volumes, what an earlier stack left stays, and is still that of its leaver', async () => {
  const { ask, names, ports } = await withLeftVolume({})
  expect((await ask(tom, { volumes: false })).status).toBe(204)
  expect(names()).toEqual(['shop_data'])
  expect(await ports.owners.list('local')).toMatchObject([{ leftBy: { name: 'mia' } }])
})

test('200: a volume that only has the label of the project stays', async () => {
  const here = world()
  await givenStack(here)
  const labels = { 'com.docker.compose.project': 'shop' }
  here.engine.state.volumes.set('films', { name: 'films', labels })
  const asked = { ports: here.ports, as: 'admin' as const, path, query: { volumes: true } }
  expect((await call(remove, asked)).json.warnings).toEqual([
    'volume films stays: it does not belong to this stack: `cli volumes delete films` removes it, ' +
      'with the right to deploy its stack, or stacks:privileged',
  ])
  expect([...here.engine.state.volumes.keys()]).toEqual(['films'])
})

test('200: says that a volume which an earlier stack left stays because it is in use', async () => {
  const { ask, names, engine } = await withLeftVolume({})
  await givenContainer({ engine }, 'reader', { hostConfig: { Binds: ['shop_data:/data'] } })
  const { status, json } = await ask(mia)
  expect([status, json]).toEqual([
    200,
    { warnings: ['remove volume shop_data: The volume shop_data is in use by reader'] },
  ])
  expect(names()).toEqual(['shop_data'])
})

test('200: says that a network stays because it is in use', async () => {
  const here = world()
  await givenStack(here)
  const [container] = here.engine.state.containers.values()
  const { networks } = present(container)
  const reader = await givenContainer(here, 'reader')
  present(here.engine.state.containers.get(reader)).networks = networks
  const { status, json } = await call(remove, { ports: here.ports, as: 'operator', path })
  expect([status, json]).toEqual([
    200,
    { warnings: [expect.stringMatching(/network shop_default .*in use by reader/)] },
  ])
})

const external = 'volumes: {data: {name: shop_data, external: true}}'
const user = 'image: "busybox:latest", command: sleep 60, volumes: ["data:/data"]'
const externals = {
  'that a service mounts': `services: {web: {${user}}}\n${external}`,
  'of a service whose profile is not active': `services: {${web}, job: {profiles: [jobs], ${user}}}\n${external}`,
  'that no service mounts': `${plain}\n${external}`,
}

/** Returns the answer that a left volume stays for a caller who may remove it. */
const stays = (why: string) => ({
  status: 200,
  json: {
    warnings: [
      `volume shop_data stays: an earlier stack shop, which mia deleted, left it, and ${why}: ` +
        '`cli volumes delete shop_data` removes it, with stacks:privileged',
    ],
  },
})
const callers = [mia, 'admin' as const]

test.each(Object.entries(externals))(
  '200: a left volume stays if the files say that it is external, one %s',
  async (_, compose) => {
    for (const as of callers) {
      for (const deployed of [true, false]) {
        const { ask, names } = await withLeftVolume({ deployed, compose })
        expect(await ask(as)).toMatchObject(stays('the files say that it is external'))
        expect(names()).toEqual(['shop_data'])
      }
    }
  },
)

test('200: a left volume stays if the files do not load', async () => {
  for (const as of callers) {
    for (const compose of [plain, externals['that a service mounts']]) {
      const { ask, names, ports } = await withLeftVolume({ compose })
      ports.composer.load = async () => {
        throw unprocessable('compose.yaml: X is not set')
      }
      expect(await ask(as)).toMatchObject(stays('the files, which may need it, do not load'))
      expect(names()).toEqual(['shop_data'])
    }
  }
})

test('200: a left volume stays if the removal cannot be planned with the files', async () => {
  for (const as of callers) {
    const { ask, names, ports } = await withLeftVolume({})
    const { plan } = ports.composer
    ports.composer.plan = async (question) => {
      if (question.project) throw unprocessable('it takes too long')
      return plan(question)
    }
    expect(await ask(as)).toMatchObject(stays('the removal could not be planned with the files'))
    expect(names()).toEqual(['shop_data'])
  }
})

test('204: own volumes stay if the files say by now that they are external', async () => {
  const here = world()
  await givenStack(here)
  const compose = externals['of a service whose profile is not active']
  const asked = { ports: here.ports, as: 'admin' as const, path }
  await call(update, { ...asked, body: { compose } })
  expect((await call(deploy, { ...asked, body: { remove_orphans: true } })).json.status).toBe(
    'succeeded',
  )
  expect((await call(remove, { ...asked, query: { volumes: true } })).status).toBe(204)
  expect([...here.engine.state.volumes.keys()]).toEqual(['shop_data'])
})

const routeOfRemove = 'DELETE /stacks/{name}'

test('202: with wait=false its deployment is running, and 404 once the stack is deleted', async () => {
  const here = world()
  await givenStack(here)
  const asked = { ports: here.ports, as: 'operator' as const, path, query: { wait: false } }
  const { status, json, headers } = await call(remove, { ...asked, route: routeOfRemove })
  expect([status, json.kind, json.status]).toEqual([202, 'remove', 'running'])
  expect(headers.location).toBe(`/api/v1/stacks/shop/deployments/${json.id}`)
  const follow = { ports: here.ports, as: 'viewer' as const, path: { ...path, id: json.id } }
  const end = await call(getDeployment, { ...follow, query: { wait_seconds: 55 } })
  expect([end.status, end.json.error]).toEqual([404, expect.stringContaining('it is deleted')])
  await here.ports.background.settled()
  expect(await here.ports.deployments.listIds('shop')).toEqual([])
  const rows = (await here.ports.audit.after(0)).rows.filter(({ id }) => id === json.id)
  expect(rows).toMatchObject([{ action: 'stacks.delete', outcome: 'succeeded' }])
})

test('202: a removal that fails leaves its deployment, which says why', async () => {
  const here = world()
  await givenStack(here)
  here.engine.failing = (step) => (step.action === 'remove' ? internalError('busy') : undefined)
  const asked = { ports: here.ports, as: 'operator' as const, path, query: { wait: false } }
  const { json } = await call(remove, { ...asked, route: routeOfRemove })
  const follow = { ports: here.ports, as: 'viewer' as const, path: { ...path, id: json.id } }
  const end = await call(getDeployment, { ...follow, query: { wait_seconds: 55 } })
  expect(end.json).toMatchObject({ status: 'failed', reason: 'internal' })
  expect(end.json.error).toContain('busy')
})

test('202: the end is in the audit log once, also if the process dies before the last step', async () => {
  const here = world()
  await givenStack(here)
  const { deployments } = here.ports
  const { removeByStack } = deployments
  deployments.removeByStack = async () => {
    throw new Error('the process dies')
  }
  const asked = { ports: here.ports, as: 'operator' as const, path, query: { wait: false } }
  const { json } = await call(remove, { ...asked, route: routeOfRemove })
  await here.ports.background.settled()
  deployments.removeByStack = removeByStack
  here.ports.clock.advance(10_001)
  await recover.with(here.ports)()
  await here.ports.background.settled()
  expect(await deployments.listIds('shop')).toEqual([])
  const rows = (await here.ports.audit.after(0)).rows.filter(({ id }) => id === json.id)
  expect(rows).toMatchObject([{ action: 'stacks.delete', outcome: 'succeeded' }])
})
