import { expect, test } from 'vitest'
import { type BackupWorld, backupWorld, givenJob, runJob } from '../../local/harness/backups.ts'
import { givenStack } from '../../local/harness/world.ts'
import { conflict, internalError } from '../core/errors.ts'

const statesOf = ({ engine }: BackupWorld) =>
  [...engine.state.containers.values()].map(({ name, state }) => `${name} ${state}`).sort()

/** Returns a world whose stack has commands before a stop and after a start. */
async function hookedWorld() {
  const here = await backupWorld()
  const hooks = 'pre_stop: [{command: drain}], post_start: [{command: warm}]'
  const compose = `services:
  db: {image: "busybox:latest", command: sleep 60, volumes: ["data:/data"], ${hooks}}
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
  const { execute } = here.engine
  here.engine.execute = (step, signal) => {
    if (step.action !== 'exec') return execute(step, signal)
    const ended = new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason)),
    )
    here.ports.background.abort()
    return ended
  }
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
