import { expect, test } from 'vitest'
import { backupRun } from '../../adapters/testing/contract/samples.ts'
import { present } from '../../adapters/testing/present.ts'
import { type BackupWorld, backupWorld, givenJob, runJob } from '../../local/harness/backups.ts'
import { givenStack } from '../../local/harness/world.ts'
import { conflict, internalError } from '../core/errors.ts'
import recover from './recover-backups.ts'

const statesOf = ({ engine }: BackupWorld) =>
  [...engine.state.containers.values()].map(({ name, state }) => `${name} ${state}`).sort()

/** Returns a world whose stack has commands before a stop and after a start. */
async function hookedWorld(services = ['db']) {
  const here = await backupWorld()
  const hooks = 'pre_stop: [{command: drain}], post_start: [{command: warm}]'
  const service = `{image: "busybox:latest", command: sleep 60, volumes: ["data:/data"], ${hooks}}`
  const compose = `services:
${services.map((name) => `  ${name}: ${service}`).join('\n')}
volumes: {data: {}}
`
  await givenStack(here, 'mail', { compose })
  const ran: string[] = []
  here.engine.failing = (step) => {
    if (step.action === 'exec') ran.push(`${step.body.Cmd} while ${statesOf(here)[0]}`)
    return undefined
  }
  const body = { sources: [{ kind: 'stack', name: 'mail' }], stop_services: true }
  return { here, ran, job: await givenJob(here, { ...body, name: 'mail' }) }
}

/** Makes a command hang until its signal aborts. Calls `begun` when it begins. */
function hanging({ engine }: BackupWorld, command: string, begun: () => void = () => {}) {
  const { execute } = engine
  engine.execute = (step, signal) => {
    if (step.action !== 'exec' || `${step.body.Cmd}` !== command) return execute(step, signal)
    const ended = new Promise<never>((_, reject) => {
      const end = () => reject(signal.reason)
      if (signal.aborted) end()
      signal.addEventListener('abort', end)
    })
    begun()
    return ended
  }
}

/** Returns a list that gets each action on a container, such as `stop`. */
function actionsOn({ engine }: BackupWorld): string[] {
  const actions: string[] = []
  const { act } = engine
  engine.act = (id, action) => {
    actions.push(action.kind)
    return act(id, action)
  }
  return actions
}

test('a stop for a backup runs pre_stop, and the start after it post_start', async () => {
  const { here, ran, job } = await hookedWorld()
  expect(await runJob(here, job)).toMatchObject({ status: 'succeeded', warnings: [] })
  expect(ran).toEqual(['drain while mail-db-1 running', 'warm while mail-db-1 running'])
})

test('a run that may not continue stops no container after its pre_stop', async () => {
  const { here, job } = await hookedWorld()
  const actions = actionsOn(here)
  here.engine.failing = ({ action }) => {
    if (action === 'exec') here.ports.background.abort()
    return undefined
  }
  expect(await runJob(here, job)).toMatchObject({ status: 'interrupted', stopped: [] })
  expect(actions).toEqual([])
})

test('a pre_stop ends when its run may not continue', async () => {
  const { here, job } = await hookedWorld()
  const actions = actionsOn(here)
  hanging(here, 'drain', here.ports.background.abort)
  expect(await runJob(here, job)).toMatchObject({ status: 'interrupted', stopped: [] })
  expect(actions).toEqual([])
})

test('a post_start that fails after a backup is a warning, and the service runs', async () => {
  const { here, job } = await hookedWorld()
  here.engine.failing = ({ action }) => (action === 'exec' ? conflict('exited with 3') : undefined)
  expect(await runJob(here, job)).toMatchObject({
    status: 'succeeded',
    stopped: [],
    warnings: ['mail-db-1 is started again, but its post_start failed: exited with 3'],
  })
  expect(statesOf(here)).toContain('mail-db-1 running')
})

test('a container starts after a backup while the store does not answer', async () => {
  const { here, job } = await hookedWorld()
  const { stacks } = here.ports
  here.ports.backupTargets.failing = (call, name) => {
    if (call === 'put' && name.includes('volume-')) {
      stacks.find = async () => {
        throw internalError('The store does not answer')
      }
    }
    return undefined
  }
  const why = 'its post_start could not be found: The store does not answer'
  expect(await runJob(here, job)).toMatchObject({
    stopped: [],
    warnings: [`mail-db-1 is started again, but ${why}`],
  })
  expect(statesOf(here)).toContain('mail-db-1 running')
})

test('all containers start before the first post_start, which ends with the service', async () => {
  const { here, job } = await hookedWorld(['db', 'web'])
  let during: string[] = []
  hanging(here, 'warm', () => {
    during = statesOf(here)
    here.ports.background.abort()
  })
  expect(await runJob(here, job)).toMatchObject({
    stopped: [],
    warnings: ['mail-db-1', 'mail-web-1'].map(
      (name) => `${name} is started again, but its post_start failed: it was ended early`,
    ),
  })
  expect(during).toEqual(expect.arrayContaining(['mail-db-1 running', 'mail-web-1 running']))
})

test('a post_start has 5 s once the service shuts down', async () => {
  const { here, job } = await hookedWorld()
  const { background, backupTargets, clock } = here.ports
  backupTargets.failing = (call) => {
    if (call === 'put') background.abort()
    return undefined
  }
  hanging(here, 'warm', () => setImmediate(() => clock.advance(5000)))
  const why = 'its post_start failed: it took longer than 5 s'
  expect(await runJob(here, job)).toMatchObject({
    status: 'interrupted',
    stopped: [],
    warnings: [`mail-db-1 is started again, but ${why}`],
  })
})

/** Records a run whose process died after it had recorded what it stops. Returns its ID. */
async function givenDead({ ports, engine }: BackupWorld, jobId: string, containers = 'mail-') {
  const stopped = [...engine.state.containers.values()]
    .filter(({ name }) => name.startsWith(containers))
    .map(({ id, name }) => ({ id, name }))
  const lease = present(await ports.leases.acquire(`backup:${jobId}`, 'process-0/dead', 10_000))
  const run = { ...backupRun(ports.random.id(), jobId), stopped, fence: lease.fence }
  await ports.backupRuns.create(run)
  ports.clock.advance(10_000)
  return run.id
}

test('recovery waits 5 s for all post_start of a run', async () => {
  const { here, job } = await hookedWorld(['db', 'web'])
  const { backupRuns, clock } = here.ports
  const id = await givenDead(here, job)
  for (const name of ['mail-db-1', 'mail-web-1']) await here.engine.act(name, { kind: 'stop' })
  hanging(here, 'warm', () => setImmediate(() => clock.advance(5000)))
  await recover.with(here.ports)()
  expect(statesOf(here)).toEqual(
    expect.arrayContaining(['mail-db-1 running', 'mail-web-1 running']),
  )
  expect(await backupRuns.find(id)).toMatchObject({
    status: 'interrupted',
    stopped: [],
    warnings: ['mail-web-1', 'mail-db-1'].map(
      (name) => `${name} is started again, but its post_start failed: it took longer than 5 s`,
    ),
  })
})

test('recovery warns of a container that runs: its post_start may not have run', async () => {
  const { here, ran, job } = await hookedWorld()
  const id = await givenDead(here, job)
  await recover.with(here.ports)()
  expect(await here.ports.backupRuns.find(id)).toMatchObject({
    status: 'interrupted',
    warnings: ['mail-db-1 was running already: its post_start may not have run'],
  })
  expect(ran).toEqual([])
})

test('recovery warns of no container without a post_start', async () => {
  const here = await backupWorld()
  const id = await givenDead(here, await givenJob(here), 'shop-')
  await recover.with(here.ports)()
  expect(await here.ports.backupRuns.find(id)).toMatchObject({ stopped: [], warnings: [] })
})

test('recovery warns if it cannot find out whether a running container has a post_start', async () => {
  const { here, job } = await hookedWorld()
  const id = await givenDead(here, job)
  here.ports.stacks.find = async () => {
    throw internalError('The store does not answer')
  }
  await recover.with(here.ports)()
  expect(await here.ports.backupRuns.find(id)).toMatchObject({
    warnings: ['mail-db-1 was running already: its post_start may not have run'],
  })
})
