import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { givenRole } from '../../local/harness/roles.ts'
import type { TestCaller } from '../../local/harness/sign-in.ts'
import { givenStack, type World, world } from '../../local/harness/world.ts'
import { internalError } from '../core/errors.ts'
import deploy from './deploy.ts'
import down from './down.ts'
import recover from './recover-deployments.ts'
import remove from './remove.ts'
import restart from './restart.ts'
import rollback from './rollback.ts'
import restartService from './services/restart.ts'
import scale from './services/scale.ts'
import startService from './services/start.ts'
import stopService from './services/stop.ts'
import stop from './stop.ts'
import update from './update.ts'

const path = { name: 'shop' }
const ofService = { name: 'shop', service: 'web' }
const busy = 'image: busybox:latest, command: sleep 60'
const compose = (web: string) => `services:\n  web: {${busy}${web}}\n  mail: {${busy}}\n`
const hooks = (word: string) =>
  `, pre_stop: [{command: ${word}-stop}], post_start: [{command: ${word}-start}]`

/** Returns what an admin has deployed: a service that controls its host. */
async function privileged(own = ''): Promise<World> {
  const here = world()
  await givenStack(here, 'shop', { compose: compose(`, privileged: true${own}`) })
  here.engine.executed.splice(0)
  return here
}

/**
 * Adds commands to the files, with a role that may not deploy a privileged service. `written`: a
 * deploy of another service has written the files, and the container is as before.
 */
async function plant(here: World, how: 'saved' | 'written'): Promise<World> {
  const { ports } = here
  const as = await givenRole(here, ['stacks:read', 'stacks:update', 'stacks:deploy'])
  const saved = await call(update, {
    ports,
    as,
    path,
    body: { compose: compose(hooks('planted')) },
  })
  if (saved.status !== 200) throw new Error(saved.text)
  if (how === 'written') {
    const body = { services: ['mail'], dependencies: false }
    const { json, text } = await call(deploy, { ports, as, path, body })
    if (json.status !== 'succeeded') throw new Error(text)
  }
  here.engine.executed.splice(0)
  return here
}

/** Returns the commands that ran in containers. */
const commands = ({ engine }: World) =>
  engine.executed.flatMap((step) =>
    step.action === 'exec' ? (step.body.Cmd as string[]).join(' ') : [],
  )

type Verb = (here: World, as: TestCaller) => Promise<unknown>

const verbs: Record<string, { run: Verb; own: string[] }> = {
  stop: {
    run: ({ ports }, as) => call(stop, { ports, as, path, body: {} }),
    own: ['own-stop'],
  },
  restart: {
    run: ({ ports }, as) => call(restart, { ports, as, path, body: {} }),
    own: ['own-stop', 'own-start'],
  },
  removal: {
    run: ({ ports }, as) => call(remove, { ports, as, path }),
    own: ['own-stop'],
  },
  down: {
    run: ({ ports }, as) => call(down, { ports, as, path, body: {} }),
    own: ['own-stop'],
  },
  'stop and start of the service': {
    async run({ ports }, as) {
      await call(stopService, { ports, as, path: ofService, body: {} })
      await call(startService, { ports, as, path: ofService })
    },
    own: ['own-stop', 'own-start'],
  },
  'restart of the service': {
    run: ({ ports }, as) => call(restartService, { ports, as, path: ofService, body: {} }),
    own: ['own-stop', 'own-start'],
  },
  'scale to zero': {
    run: ({ ports }, as) => call(scale, { ports, as, path: ofService, body: { replicas: 0 } }),
    own: ['own-stop'],
  },
}

const cases = Object.entries(verbs).flatMap(([name, verb]) =>
  (['saved', 'written'] as const).map((how) => [name, how, verb] as const),
)

test.each(cases)(
  'a %s by an admin runs no command of files that were only %s',
  async (_, how, { run }) => {
    const here = await plant(await privileged(), how)
    await run(here, 'admin')
    expect(here.engine.executed.some(({ action }) => action !== 'exec')).toBe(true)
    expect(commands(here)).toEqual([])
  },
)

test.each(cases)(
  'a %s runs the deployed commands though others were %s',
  async (_, how, { run, own }) => {
    const here = await plant(await privileged(hooks('own')), how)
    await run(here, 'admin')
    expect(commands(here)).toEqual(own)
  },
)

test('an operator’s stop runs the commands that the container was created with', async () => {
  const here = await privileged(hooks('own'))
  await call(stop, { ports: here.ports, as: 'operator', path, body: {} })
  expect(commands(here)).toEqual(['own-stop'])
})

test.each(['saved', 'written'] as const)(
  'a deploy of files that were %s runs the old pre_stop in the old container',
  async (how) => {
    for (const as of ['admin', 'operator'] as const) {
      const here = await plant(await privileged(hooks('own')), how)
      const { json } = await call(deploy, { ports: here.ports, as, path, body: {} })
      expect([json.status, commands(here)]).toEqual(['succeeded', ['own-stop', 'planted-start']])
      const without = await plant(await privileged(), how)
      await call(deploy, { ports: without.ports, as, path, body: {} })
      expect(commands(without)).toEqual(['planted-start'])
    }
  },
)

test('a deploy that leaves out a service runs its pre_stop as it removes the container', async () => {
  const here = await privileged(hooks('own'))
  const body = { compose: `services:\n  mail: {${busy}}\n` }
  await call(update, { ports: here.ports, as: 'admin', path, body })
  const request = { ports: here.ports, as: 'admin' as const, path, body: { remove_orphans: true } }
  await call(deploy, request)
  expect(commands(here)).toEqual(['own-stop'])
})

test('a rollback runs the pre_stop of the newer files in their container', async () => {
  const here = await privileged(hooks('own'))
  const [first] = await here.ports.deployments.listByStack('shop', 1)
  await plant(here, 'saved')
  await call(deploy, { ports: here.ports, as: 'admin', path, body: {} })
  here.engine.executed.splice(0)
  const body = { deployment_id: present(first).id }
  await call(rollback, { ports: here.ports, as: 'admin', path, body })
  expect(commands(here)).toEqual(['planted-stop', 'own-start'])
})

/** Makes a deploy fail after it has written the files, before it has changed a container. */
async function failedDeploy(): Promise<World> {
  const here = await plant(await privileged(hooks('own')), 'saved')
  here.engine.failing = ({ action }) =>
    action === 'recreate' ? internalError('no space left') : undefined
  const { json } = await call(deploy, { ports: here.ports, as: 'admin', path, body: {} })
  expect([json.status, commands(here)]).toEqual(['failed', []])
  here.engine.failing = undefined
  return here
}

test('after a deploy that failed, a stop runs the commands of the container that it left', async () => {
  const here = await failedDeploy()
  await call(stop, { ports: here.ports, as: 'admin', path, body: {} })
  expect(commands(here)).toEqual(['own-stop'])
})

test('a resumed deploy runs the old pre_stop though the new files were written before', async () => {
  const here = await failedDeploy()
  const { ports } = here
  const { fence } = present(await ports.leases.acquire('stack:shop', 'process-0/dead', 10_000))
  const [failed] = await ports.deployments.listByStack('shop', 1)
  const dead = { status: 'running' as const, error: null, finishedAt: null, fence }
  await ports.deployments.save({ ...present(failed), ...dead })
  ports.clock.advance(10_001)
  await recover.with(ports)()
  await ports.background.settled()
  expect(commands(here)).toEqual(['own-stop', 'planted-start'])
})

test.each<[string, string, string[]]>([
  ['none', '', []],
  ['its own', hooks('own'), ['own-stop', 'own-start']],
])(
  'an adopted container that was never deployed runs %s of the commands in the files',
  async (_, own, ran) => {
    const here = await privileged(own)
    const { ports } = here
    const { deployed, ...stack } = present(await ports.stacks.find('shop'))
    await ports.stacks.replace({ ...stack, deployed, adopted: true, written: null })
    await ports.deployments.removeByStack('shop')
    if (own === '') await plant(here, 'saved')
    await call(restart, { ports, as: 'admin', path, body: {} })
    expect(commands(here)).toEqual(ran)
  },
)

test('the deployment says which command did not run', async () => {
  const here = await privileged()
  const { ports } = here
  await plant(here, 'written')
  const written = present(await ports.stacks.find('shop')).files
  await ports.deployments.removeByStack('shop')
  await call(restartService, { ports, as: 'admin', path: ofService, body: {} })
  const [newest] = await ports.deployments.listByStack('shop', 1)
  expect(newest).toMatchObject({ status: 'succeeded', files: written })
  expect(newest?.warnings).toContain(
    'container shop-web-1: no pre_stop command runs in it, because it was created from other files',
  )
})
