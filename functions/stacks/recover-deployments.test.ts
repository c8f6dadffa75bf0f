import { expect, test } from 'vitest'
import { memoryBackground } from '../../adapters/testing/memory/background.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { givenRole } from '../../local/harness/roles.ts'
import { forgetOwners, givenStack, type World, world } from '../../local/harness/world.ts'
import { plainOptions } from '../core/deploy/request.ts'
import { internalError, overloaded, shuttingDown } from '../core/errors.ts'
import type { Deployment } from '../core/records/deployment.ts'
import type { DeploymentKind } from '../core/records/deployment-kinds.ts'
import deploy from './deploy.ts'
import recover from './recover-deployments.ts'
import remove from './remove.ts'
import stop from './stop.ts'

/** Records a deployment whose process died while its lease is still valid. */
async function givenDead(
  { ports }: World,
  kind: DeploymentKind = 'deploy',
  name = 'shop',
): Promise<Deployment> {
  const stack = present(await ports.stacks.find(name))
  const { fence } = present(await ports.leases.acquire(`stack:${name}`, 'process-0/dead', 10_000))
  const deployment: Deployment = {
    id: ports.random.id(),
    fence,
    kind,
    stack: name,
    hostId: 'local',
    environment: null,
    contentRevision: 1,
    files: stack.files,
    options: plainOptions,
    status: 'running',
    error: null,
    startedAt: ports.clock.now(),
    finishedAt: null,
    by: 'ada',
    steps: [
      {
        action: 'create',
        kind: 'network',
        name: 'shop_default',
        reason: 'no network',
        status: 'running',
        ms: null,
      },
    ],
    images: {},
  }
  await ports.deployments.create(deployment)
  return deployment
}

/** Runs the schedule once, and waits for what it started. */
async function run({ ports }: World): Promise<void> {
  await recover.with(ports)()
  await ports.background.settled()
}

test('leaves a deployment alone while its process is alive', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const { id } = await givenDead(here)
  await run(here)
  expect((await here.ports.deployments.find('shop', id))?.status).toBe('running')
  expect(here.engine.executed).toEqual([])
})

test('takes up a deployment only when its lease is free', async () => {
  const here = world()
  const { leases, deployments } = here.ports
  await givenStack(here, 'shop', { deployed: false })
  const { id } = await givenDead(here)
  await run(here)
  expect((await deployments.find('shop', id))?.status).toBe('running')
  await leases.release(present(await leases.acquire('stack:shop', 'process-0/dead', 10_000)))
  await run(here)
  expect((await deployments.find('shop', id))?.status).toBe('succeeded')
})

test('takes up the deployment of a process that died just before, within 30 s', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const { id } = await givenDead(here)
  const isRunning = async () =>
    (await here.ports.deployments.find('shop', id))?.status === 'running'
  let seconds = 0
  for (await run(here); await isRunning(); await run(here)) {
    seconds += recover.everySeconds
    here.ports.clock.advance(recover.everySeconds * 1000)
  }
  expect(seconds).toBeLessThanOrEqual(30)
})

test('200: a stop can start after recovery ended a deployment, before the lease is released', async () => {
  const here = world()
  const { leases, clock, deployments } = here.ports
  await givenStack(here, 'shop', { deployed: false })
  const { id } = await givenDead(here)
  clock.advance(10_001)
  const { release } = leases
  leases.release = (lease) => clock.sleep(40).then(() => release(lease))
  const recovering = run(here)
  const statusOf = async () => (await deployments.find('shop', id))?.status
  await expect.poll(statusOf, { interval: 2 }).toBe('succeeded')
  expect(await leases.peek('stack:shop')).toMatchObject({ held: true })
  const path = { name: 'shop' }
  expect((await call(stop, { ports: here.ports, as: 'operator', path })).status).toBe(200)
  await recovering
})

test('plans again from the current state if the process died, and completes the deployment', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const { id } = await givenDead(here)
  here.ports.clock.advance(10_001)
  await run(here)
  const ended = await here.ports.deployments.find('shop', id)
  expect(ended).toMatchObject({ status: 'succeeded', error: null, by: 'ada' })
  expect(ended?.steps[0]).toMatchObject({ name: 'shop_default', status: 'skipped' })
  expect(here.engine.state.containers.size).toBe(2)
  expect(await here.ports.deployments.listRunning()).toEqual([])
})

test('a completed recovery records resources that an earlier version created', async () => {
  const here = world()
  await givenStack(here)
  const { owners } = here.ports
  const recorded = async () => (await owners.list('local')).map(({ name }) => name)
  const before = await recorded()
  await forgetOwners(here)
  await givenDead(here)
  here.ports.clock.advance(10_001)
  await run(here)
  expect([before, await recorded()]).toEqual([['shop_default', 'shop_data'], before])
})

test('interrupts a deployment whose volume another stack took, with the reason', async () => {
  const here = world()
  await givenStack(here)
  const { owners } = here.ports
  const volume = { hostId: 'local', kind: 'volume', name: 'shop_data' } as const
  await forgetOwners(here)
  await givenStack(here, 'other', { deployed: false })
  const { createdAt: stackCreatedAt } = present(await here.ports.stacks.find('other'))
  const { id } = await givenDead(here)
  here.ports.owners = {
    ...owners,
    async find(thing) {
      const found = await owners.find(thing)
      await owners.claim({ ...volume, stack: 'other', stackCreatedAt, at: 1 })
      return found
    },
  }
  here.ports.clock.advance(10_001)
  const executed = here.engine.executed.length
  await run(here)
  expect(await here.ports.deployments.find('shop', id)).toMatchObject({
    status: 'interrupted',
    error: expect.stringContaining('another stack'),
  })
  expect(here.engine.executed.length).toBe(executed)
})

test('a deployment that uses a volume of a stack that its user may deploy is resumed', async () => {
  const here = world()
  await givenStack(here)
  const compose = `services: { web: { image: "busybox:latest", volumes: ["vol:/v"] } }
volumes: { vol: { name: shop_data, external: true } }
`
  await givenStack(here, 'web', { compose, deployed: false })
  const { background, deployments, clock } = here.ports
  // The process dies right after it recorded the deployment.
  const { run: runInBackground } = background
  background.run = () => {}
  const as = await givenRole(here, ['stacks:read', 'stacks:deploy'])
  const path = { name: 'web' }
  const { json } = await call(deploy, { ports: here.ports, as, path, query: { wait: false } })
  background.run = runInBackground
  clock.advance(10_001)
  await run(here)
  expect(await deployments.find('web', json.id)).toMatchObject({ status: 'succeeded', error: null })
})

test('one of many processes takes it up', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  await givenDead(here)
  here.ports.clock.advance(10_001)
  const others = ['process-2', 'process-3'].map((processId) => ({
    ...here.ports,
    background: { ...here.ports.background, processId },
  }))
  await Promise.all([run(here), ...others.map((ports) => recover.with(ports)())])
  await here.ports.background.settled()
  const creates = here.engine.executed.filter((step) => step.action === 'create')
  expect(new Set(creates.map((step) => step.name)).size).toBe(creates.length)
})

test('leaves a deployment to the process that acquired its lease while this one planned', async () => {
  const here = world()
  const { ports, engine } = here
  await givenStack(here, 'shop', { deployed: false })
  const { id } = await givenDead(here)
  ports.clock.advance(10_001)
  const { observe } = engine
  engine.observe = async (...given) => {
    // The process is paused for longer than its lease.
    ports.clock.advance(10_001)
    expect(await ports.leases.acquire('stack:shop', 'process-2/other', 10_000)).toBeDefined()
    return observe(...given)
  }
  await run(here)
  expect((await ports.deployments.find('shop', id))?.status).toBe('running')
  expect(engine.executed).toEqual([])
  expect(await ports.leases.peek('stack:shop')).toMatchObject({ holder: 'process-2/other' })
  const { rows } = await ports.audit.list({ action: 'stacks.recover', limit: 9 })
  expect(rows.map(({ outcome }) => outcome)).toEqual(['begun'])
})

test('recovers the others if one cannot be recovered', async () => {
  const here = world()
  const { ports } = here
  await givenStack(here, 'shop', { deployed: false })
  await givenStack(here, 'web', {
    compose: 'services: { a: { image: "busybox:latest" } }',
    deployed: false,
  })
  await givenDead(here)
  const { id } = await givenDead(here, 'deploy', 'web')
  ports.clock.advance(10_001)
  const { peek } = ports.leases
  ports.leases.peek = async (name) => {
    if (name === 'stack:shop') throw internalError('the store is away')
    return peek(name)
  }
  await run(here)
  expect((await ports.deployments.find('web', id))?.status).toBe('succeeded')
})

test('writes the audit rows of others if that of one cannot be written', async () => {
  const here = world()
  const { ports } = here
  const unaudited = [
    { id: 'd1', stack: 'shop' },
    { id: 'd2', stack: 'web' },
  ]
  ports.deployments.listUnaudited = async () => unaudited as Deployment[]
  const asked: string[] = []
  ports.deployments.find = async (stack) => {
    asked.push(stack)
    if (stack === 'shop') throw internalError('the store is away')
    return undefined
  }
  await run(here)
  expect(asked).toEqual(['shop', 'web'])
  for (const { stack } of unaudited)
    expect(await ports.leases.peek(`stack:${stack}`)).toMatchObject({ held: false })
})

test('completes a stop', async () => {
  const here = world()
  await givenStack(here)
  const { id } = await givenDead(here, 'stop')
  here.ports.clock.advance(10_001)
  await run(here)
  expect((await here.ports.deployments.find('shop', id))?.status).toBe('succeeded')
  expect(here.engine.state.containers.size).toBe(0)
})

test('completes a removal, wherever its process died', async () => {
  for (const died of ['before the record was deleted', 'after that']) {
    const here = world()
    await givenStack(here)
    await givenDead(here, 'remove')
    if (died === 'after that') await here.ports.stacks.remove('shop')
    here.ports.clock.advance(10_001)
    await run(here)
    expect(await here.ports.stacks.find('shop'), died).toBeUndefined()
    expect(await here.ports.deployments.listByStack('shop', 9), died).toEqual([])
    expect(await here.ports.leases.peek('stack:shop'), died).toMatchObject({ held: false })
  }
})

/** Returns a world with a stack, and a volume of an earlier one of its name that mia deleted. */
async function withLeftVolume() {
  const here = world()
  const { ports } = here
  const as = { username: 'mia', role: 'operator' }
  await givenStack(here)
  await call(remove, { ports, as, path: { name: 'shop' } })
  ports.clock.advance(1000)
  const compose = 'services: {web: {image: "busybox:latest", command: sleep 60}}'
  await givenStack(here, 'shop', { compose })
  const [mia] = (await ports.accounts.list()).filter(({ username }) => username === 'mia')
  return { ...here, mia: present(mia) }
}

type Mia = Awaited<ReturnType<typeof withLeftVolume>>['mia']
const ends: Record<string, (mia: Mia, ports: World['ports']) => unknown> = {
  'still there': () => {},
  disabled: (mia, { accounts }) => accounts.replace({ ...mia, disabled: true }),
  deleted: ({ id }, { accounts }) => accounts.remove(id),
}

test.each(Object.entries(ends))(
  'a resumed removal keeps what an earlier stack left, its account %s',
  async (_, end) => {
    for (const kind of ['remove', 'down'] as const) {
      const here = await withLeftVolume()
      const { ports, mia } = here
      const dead = await givenDead(here, kind)
      const options = { ...plainOptions, volumes: true }
      await ports.deployments.save({ ...dead, accountId: mia.id, options })
      await end(mia, ports)
      ports.clock.advance(10_001)
      await run(here)
      expect(here.engine.state.containers.size).toBe(0)
      expect([...here.engine.state.volumes.keys()]).toEqual(['shop_data'])
      expect(await ports.owners.list('local')).toMatchObject([{ leftBy: { name: 'mia' } }])
      if (kind === 'remove') continue
      expect(await ports.deployments.find('shop', dead.id)).toMatchObject({
        status: 'succeeded',
        warnings: [
          'volume shop_data stays: an earlier stack shop, which mia deleted, left it, and ' +
            'the removal was resumed: `cli volumes delete shop_data` removes it, with stacks:privileged',
        ],
      })
    }
  },
)

test('records an end that could not be written to the stack', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const { stacks } = here.ports
  const { replace } = stacks
  stacks.replace = async (stack) => {
    if (stack.last?.status === 'succeeded') throw internalError('the store is away')
    return replace(stack)
  }
  await call(deploy, { ports: here.ports, as: 'admin', path: { name: 'shop' }, body: {} })
  stacks.replace = replace
  here.ports.clock.advance(10_001)
  await run(here)
  expect((await stacks.find('shop'))?.last?.status).toBe('succeeded')
  expect(await here.ports.deployments.listRunning()).toEqual([])
})

test('interrupts a restart instead of repeating it', async () => {
  const here = world()
  await givenStack(here)
  const { id } = await givenDead(here, 'restart')
  here.ports.clock.advance(10_001)
  await run(here)
  const ended = await here.ports.deployments.find('shop', id)
  expect(ended).toMatchObject({ status: 'interrupted', error: expect.stringContaining('restart') })
  expect(present(ended).steps).toMatchObject([{ status: 'failed', error: present(ended).error }])
  expect((await here.ports.stacks.find('shop'))?.last).toMatchObject({
    kind: 'restart',
    status: 'interrupted',
    error: present(ended).error,
    finishedAt: here.ports.clock.now(),
  })
  expect(here.engine.executed.some((step) => step.action === 'restart')).toBe(false)
})

test('interrupts what cannot be resumed, with the reason, and allows a new deploy', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const { id } = await givenDead(here)
  here.ports.clock.advance(10_001)
  here.engine.offline = internalError('host local: it does not respond')
  await run(here)
  const ended = await here.ports.deployments.find('shop', id)
  expect(ended).toMatchObject({
    status: 'interrupted',
    error: expect.stringContaining('does not respond'),
  })
  expect(await here.ports.leases.peek('stack:shop')).toMatchObject({ held: false })
})

test('a resumed rollback brings the files back once, whether they were back already or not', async () => {
  for (const isApplied of [false, true]) {
    const here = world()
    const { ports } = here
    await givenStack(here)
    const before = present(await ports.stacks.find('shop'))
    const dead = await givenDead(here, 'rollback')
    const last = { deploymentId: dead.id, kind: 'rollback' as const, status: 'running' as const }
    await ports.stacks.replace({ ...before, last: { ...last, applied: isApplied } })
    ports.clock.advance(10_001)
    await run(here)
    const after = present(await ports.stacks.find('shop'))
    expect(after.last?.status).toBe('succeeded')
    expect(after.contentRevision - before.contentRevision).toBe(isApplied ? 0 : 1)
  }
})

const refusals = {
  'too many compose files are being read': ({ ports }: World) => {
    const { load } = ports.composer
    ports.composer.load = async () => {
      throw overloaded('too many compose files are being read: try again in a moment')
    }
    return () => Object.assign(ports.composer, { load })
  },
  'the plan waits for too long': ({ ports }: World) => {
    const { plan } = ports.composer
    ports.composer.plan = async () => {
      throw shuttingDown()
    }
    return () => Object.assign(ports.composer, { plan })
  },
  'the Engine is busy': ({ engine }: World) => {
    engine.offline = internalError('the Docker Engine did not respond within 5 s', {
      reason: 'engine-busy',
    })
    return () => Object.assign(engine, { offline: undefined })
  },
  'the agent of the host is not connected': ({ engine }: World) => {
    engine.offline = internalError('host nas: its agent is offline', { reason: 'host-offline' })
    return () => Object.assign(engine, { offline: undefined })
  },
  'the Engine does not run yet': ({ engine }: World) => {
    engine.offline = internalError('the Docker Engine refused the connection', {
      reason: 'engine-failed',
    })
    return () => Object.assign(engine, { offline: undefined })
  },
  'the store does not respond': ({ ports }: World) => {
    const { find } = ports.stacks
    let finds = 0
    ports.stacks.find = async (name) => {
      finds += 1
      if (finds % 2 === 1) return find(name)
      throw internalError('The store does not respond', { reason: 'store-unavailable' })
    }
    return () => Object.assign(ports.stacks, { find })
  },
  'a connection breaks': ({ engine }: World) => {
    const { observe } = engine
    engine.observe = async () => {
      throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
    }
    return () => Object.assign(engine, { observe })
  },
}

test.each(Object.entries(refusals))(
  'tries again what is refused for now: %s',
  async (_reason, refuse) => {
    const here = world()
    const { ports, engine } = here
    await givenStack(here, 'shop', { deployed: false })
    const { id } = await givenDead(here)
    const outcomes = async () => {
      const { rows } = await ports.audit.after(0)
      return rows.flatMap(({ action, outcome }) => (action === 'stacks.recover' ? outcome : []))
    }
    ports.clock.advance(10_001)
    const accept = refuse(here)
    for (let times = 0; times < 3; times += 1) {
      await run(here)
      expect((await ports.deployments.find('shop', id))?.status).toBe('running')
      expect(await ports.leases.peek('stack:shop')).toMatchObject({ held: false })
    }
    expect([engine.executed, await outcomes()]).toEqual([[], []])
    const logged = ports.log.lines.filter(({ level }) => level === 'warn' || level === 'error')
    expect(logged.map(({ level, message }) => `${level}: ${message}`)).toEqual([
      'warn: a deployment was interrupted: its process ended',
      'warn: a deployment could not be recovered yet',
    ])
    accept()
    await run(here)
    expect(await ports.deployments.find('shop', id)).toMatchObject({
      status: 'succeeded',
      error: null,
    })
    expect(await outcomes()).toEqual(['begun', 'succeeded'])
  },
)

test('interrupts a deployment whose host is away for five minutes', async () => {
  const here = world()
  const { ports } = here
  await givenStack(here, 'shop', { deployed: false })
  const { id } = await givenDead(here)
  ports.clock.advance(10_001)
  refusals['the agent of the host is not connected'](here)
  await run(here)
  ports.clock.advance(299_999)
  await run(here)
  expect((await ports.deployments.find('shop', id))?.status).toBe('running')
  ports.clock.advance(1)
  await run(here)
  expect(await ports.deployments.find('shop', id)).toMatchObject({
    status: 'interrupted',
    error: expect.stringContaining('its agent is offline'),
  })
  expect(await ports.leases.peek('stack:shop')).toMatchObject({ held: false })
})

test('does not wait for a host that was revoked', async () => {
  const here = world()
  const { ports, engine } = here
  await givenStack(here, 'shop', { deployed: false })
  const { id } = await givenDead(here)
  ports.clock.advance(10_001)
  engine.offline = internalError('host nas: it was revoked', { reason: 'host-revoked' })
  await run(here)
  expect((await ports.deployments.find('shop', id))?.status).toBe('interrupted')
})

test('a deployment that is refused for now can be cancelled', async () => {
  const here = world()
  const { ports } = here
  await givenStack(here, 'shop', { deployed: false })
  const { id } = await givenDead(here)
  ports.clock.advance(10_001)
  refusals['the Engine is busy'](here)
  await run(here)
  await ports.deployments.requestCancel('shop', id, { by: 'ada', at: ports.clock.now() })
  await run(here)
  expect(await ports.deployments.find('shop', id)).toMatchObject({
    status: 'interrupted',
    error: 'cancelled by ada',
  })
})

test('a deployment that takes long keeps no other from being tried again', async () => {
  const here = world()
  const { ports, engine } = here
  await givenStack(here, 'shop', { deployed: false })
  const compose = 'services: { a: { image: "busybox:latest" } }'
  await givenStack(here, 'web', { compose, deployed: false })
  await givenDead(here)
  const { id } = await givenDead(here, 'deploy', 'web')
  ports.clock.advance(10_001)
  const { execute, observe } = engine
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  engine.execute = async (step, signal) => {
    if (step.name.startsWith('shop')) await ended
    return execute(step, signal)
  }
  engine.observe = async (name) => {
    if (name !== 'web') return observe(name)
    engine.observe = observe
    throw internalError('the Docker Engine did not respond within 5 s', { reason: 'engine-busy' })
  }
  for (const status of ['running', 'succeeded']) {
    await recover.with(ports)()
    await expect.poll(async () => (await ports.deployments.find('web', id))?.status).toBe(status)
  }
  end()
  await ports.background.settled()
})

test('completes in the stack what was recorded of an interrupted deployment alone', async () => {
  const here = world()
  const { ports } = here
  await givenStack(here)
  const { id } = await givenDead(here, 'restart')
  const { replace } = ports.stacks
  ports.stacks.replace = async () => {
    throw internalError('The store does not respond', { reason: 'store-unavailable' })
  }
  ports.clock.advance(10_001)
  await run(here)
  ports.stacks.replace = replace
  await run(here)
  const { status } = present(await ports.deployments.find('shop', id))
  const last = (await ports.stacks.find('shop'))?.last
  expect([status, last]).toMatchObject(['interrupted', { deploymentId: id, status: 'interrupted' }])
})

test('resumes a deployment whose plan was refused after its pulls because the service stops', async () => {
  const here = world()
  const { ports, engine } = here
  const compose = 'services: {web: {image: "nginx:1"}}'
  await givenStack(here, 'shop', { compose })
  engine.executed.length = 0
  const { execute } = engine
  let accept = () => {}
  engine.execute = async (step, signal) => {
    engine.execute = execute
    ports.background.stop()
    accept = refusals['the plan waits for too long'](here)
    return execute(step, signal)
  }
  const path = { name: 'shop' }
  const query = { wait: false }
  const body = { pull: 'always', force_recreate: true }
  const { json } = await call(deploy, { ports, as: 'operator', path, query, body })
  await ports.background.settled()
  expect((await ports.deployments.find('shop', json.id))?.status).toBe('running')
  expect(await ports.leases.peek('stack:shop')).toMatchObject({ held: false })
  accept()
  const background = memoryBackground('process-2')
  await recover.with({ ...ports, background })()
  await background.settled()
  expect(await ports.deployments.find('shop', json.id)).toMatchObject({
    status: 'succeeded',
    error: null,
  })
  expect(engine.executed.some(({ action }) => action === 'start')).toBe(true)
})

test('a deployment is not resumed once a later deploy has replaced it', async () => {
  const here = world()
  const { ports, engine } = here
  await givenStack(here)
  const { background, clock, deployments } = ports
  const { run: runInBackground } = background
  background.run = () => {}
  const path = { name: 'shop' }
  const body = { force_recreate: true }
  const query = { wait: false }
  const { json } = await call(deploy, { ports, as: 'operator', path, query, body })
  background.run = runInBackground
  clock.advance(10_001)
  const later = await call(deploy, { ports, as: 'operator', path, body })
  expect(later.json.status).toBe('succeeded')
  const executed = engine.executed.length
  await run(here)
  expect(await deployments.find('shop', json.id)).toMatchObject({
    status: 'interrupted',
    error: expect.stringContaining('a later deploy'),
  })
  expect(engine.executed).toHaveLength(executed)
  expect((await ports.stacks.find('shop'))?.last).toMatchObject({
    deploymentId: later.json.id,
    status: 'succeeded',
  })
})

test('a restart for a mounted file that the dead process did not reach follows', async () => {
  const here = world()
  const { ports, engine } = here
  await givenStack(here, 'shop')
  const dead = await givenDead(here)
  const state = { revision: 'r1', treeId: 't1' }
  const source = { ...state, source: 'shop', trigger: 'look' as const }
  const [one] = engine.state.containers.values()
  const { name } = present(one)
  const report = { kind: 'container', name, reason: 'mounted file changed: ./a', ms: null }
  const steps = [{ ...report, action: 'restart', status: 'pending' as const }]
  await ports.deployments.save({ ...dead, options: { ...plainOptions, source }, steps })
  await ports.leases.release(
    present(await ports.leases.acquire('stack:shop', 'process-0/dead', 10_000)),
  )
  await run(here)
  const ended = present(await ports.deployments.find('shop', dead.id))
  expect([ended.status, ended.steps.map(({ action, status }) => [action, status])]).toEqual([
    'succeeded',
    [
      ['restart', 'skipped'],
      ['restart', 'done'],
    ],
  ])
})
