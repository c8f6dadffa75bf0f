import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import { givenStack, type World, world } from '../../local/harness/world.ts'
import { broken } from '../core/errors.ts'
import type { Deployment, DeploymentKind } from '../core/stacks/stack.ts'
import deploy from './deploy.ts'
import recover from './recover.ts'
import stop from './stop.ts'

/** Records a deployment whose process died while its lease is still valid. */
async function givenDead({ ports }: World, kind: DeploymentKind = 'deploy'): Promise<Deployment> {
  const stack = (await ports.stacks.find('shop'))!
  const deployment: Deployment = {
    id: ports.random.id(),
    kind,
    stack: 'shop',
    hostId: 'local',
    environment: null,
    contentRevision: 1,
    files: stack.files,
    options: {
      pull: null,
      forceRecreate: false,
      removeOrphans: false,
      services: [],
      volumes: false,
    },
    status: 'running',
    error: null,
    startedAt: ports.clock.now(),
    finishedAt: null,
    by: 'ada',
    steps: [
      {
        ...{ action: 'create', kind: 'network', name: 'shop_default', reason: 'no network' },
        ...{ status: 'running', ms: null },
      },
    ],
    images: {},
  }
  await ports.leases.acquire('stack:shop', 'process-0/dead', 10_000)
  await ports.deployments.create(deployment)
  return deployment
}

const run = ({ ports }: World) => recover.with(ports)()

test('a deployment whose process lives is left alone', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const { id } = await givenDead(here)
  await run(here)
  expect((await here.ports.deployments.find('shop', id))?.status).toBe('running')
  expect(here.engine.executed).toEqual([])
})

test('one whose lease is held is left alone; one whose lease was given back, and its end never saved, is taken up', async () => {
  const here = world()
  const { leases, deployments } = here.ports
  await givenStack(here, 'shop', { deployed: false })
  const { id } = await givenDead(here)
  await run(here)
  expect((await deployments.find('shop', id))?.status).toBe('running')
  await leases.release((await leases.acquire('stack:shop', 'process-0/dead', 10_000))!)
  await run(here)
  expect((await deployments.find('shop', id))?.status).toBe('succeeded')
})

test('200: a stop right after recovery ended a deployment, before its lease is released', async () => {
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

test('one whose process died is planned anew from what is there, and finished', async () => {
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

test('one that is finished records what an earlier version made for the stack', async () => {
  const here = world()
  await givenStack(here)
  const { owners } = here.ports
  const recorded = async () => (await owners.list('local')).map(({ name }) => name)
  const before = await recorded()
  await owners.removeByStack('local', 'shop')
  await givenDead(here)
  here.ports.clock.advance(10_001)
  await run(here)
  expect([before, await recorded()]).toEqual([['shop_default', 'shop_data'], before])
})

test('one whose volume another stack took meanwhile is interrupted and says so', async () => {
  const here = world()
  await givenStack(here)
  const { owners } = here.ports
  const volume = { hostId: 'local', kind: 'volume', name: 'shop_data' } as const
  await owners.removeByStack('local', 'shop')
  await givenStack(here, 'other', { deployed: false })
  const { id } = await givenDead(here)
  here.ports.owners = {
    ...owners,
    async find(thing) {
      const found = await owners.find(thing)
      await owners.claim({ ...volume, stack: 'other', at: 1 })
      return found
    },
  }
  here.ports.clock.advance(10_001)
  const executed = here.engine.executed.length
  await run(here)
  expect(await here.ports.deployments.find('shop', id)).toMatchObject({
    ...{ status: 'interrupted', error: expect.stringContaining('another stack') },
  })
  expect(here.engine.executed.length).toBe(executed)
})

test('of many processes one takes it up', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  await givenDead(here)
  here.ports.clock.advance(10_001)
  const others = ['process-2', 'process-3'].map((processId) => ({
    ...here.ports,
    background: { processId, run: here.ports.background.run },
  }))
  await Promise.all([run(here), ...others.map((ports) => recover.with(ports)())])
  const creates = here.engine.executed.filter((step) => step.action === 'create')
  expect(new Set(creates.map((step) => step.name)).size).toBe(creates.length)
})

test('a stop is finished too', async () => {
  const here = world()
  await givenStack(here)
  const { id } = await givenDead(here, 'stop')
  here.ports.clock.advance(10_001)
  await run(here)
  expect((await here.ports.deployments.find('shop', id))?.status).toBe('succeeded')
  expect(here.engine.state.containers.size).toBe(0)
})

test('a removal is finished too, wherever its process died', async () => {
  for (const died of ['before the record went', 'after it']) {
    const here = world()
    await givenStack(here)
    await givenDead(here, 'remove')
    if (died === 'after it') await here.ports.stacks.remove('shop')
    here.ports.clock.advance(10_001)
    await run(here)
    expect(await here.ports.stacks.find('shop'), died).toBeUndefined()
    expect(await here.ports.deployments.listByStack('shop', 9), died).toEqual([])
    expect(await here.ports.leases.peek('stack:shop'), died).toMatchObject({ held: false })
  }
})

test('an end that could not be written into the stack is made good', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const { stacks } = here.ports
  const { replace } = stacks
  stacks.replace = async (stack) => {
    if (stack.last?.status === 'succeeded') throw broken('the store is away')
    return replace(stack)
  }
  await call(deploy, { ports: here.ports, as: 'admin', path: { name: 'shop' }, body: {} })
  stacks.replace = replace
  here.ports.clock.advance(10_001)
  await run(here)
  expect((await stacks.find('shop'))?.last?.status).toBe('succeeded')
  expect(await here.ports.deployments.listRunning()).toEqual([])
})

test('a restart is not repeated: it is interrupted and says so', async () => {
  const here = world()
  await givenStack(here)
  const { id } = await givenDead(here, 'restart')
  here.ports.clock.advance(10_001)
  await run(here)
  const ended = await here.ports.deployments.find('shop', id)
  expect(ended).toMatchObject({ status: 'interrupted', error: expect.stringContaining('restart') })
  const statuses = ended!.steps.map(({ status }) => status)
  expect(statuses).toEqual(['failed'])
  expect(here.engine.executed.some((step) => step.action === 'restart')).toBe(false)
})

test('what cannot be resumed is interrupted with the reason, and a new deploy may begin', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const { id } = await givenDead(here)
  here.ports.clock.advance(10_001)
  here.engine.offline = broken('host local: it does not answer')
  await run(here)
  const ended = await here.ports.deployments.find('shop', id)
  expect(ended).toMatchObject({
    status: 'interrupted',
    error: expect.stringContaining('does not answer'),
  })
  expect(await here.ports.leases.peek('stack:shop')).toMatchObject({ held: false })
})
