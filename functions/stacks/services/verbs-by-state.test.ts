import { expect, test } from 'vitest'
import type { Json } from '../../../adapters/testing/json.ts'
import { present } from '../../../adapters/testing/present.ts'
import { call } from '../../../local/harness/call.ts'
import { givenStack, type World, world } from '../../../local/harness/world.ts'
import { nextWatch } from '../../core/alerts/watch.ts'
import type { HostWatch } from '../../core/records/host-watch.ts'
import deploy from '../deploy.ts'
import down from '../down.ts'
import getStack from '../get.ts'
import plan from '../plan.ts'
import statusOf from '../status.ts'
import stopStack from '../stop.ts'
import pause from './pause.ts'
import pull from './pull.ts'
import restart from './restart.ts'
import scale from './scale.ts'
import start from './start.ts'
import stop from './stop.ts'
import unpause from './unpause.ts'

// Every operation in every state of the containers of `web`: what the service and the stack are
// afterwards, whether an alert fires, and what the next plan does. `db` runs beside it.

const compose = `services:
  db: {image: "nginx:1", command: sleep 60}
  web: {image: "nginx:1", command: sleep 60, restart: "no"}
`

type Container = World['engine']['state']['containers'] extends Map<string, infer One> ? One : never

/** What happens to the container of `web` before the operation. */
const happenings: Record<string, (here: World, web: Container) => unknown> = {
  running: () => {},
  'ended 0': (_, web) => Object.assign(web, { state: 'exited', exitCode: 0 }),
  'ended 1': (_, web) => Object.assign(web, { state: 'exited', exitCode: 1 }),
  killed: (_, web) => Object.assign(web, { state: 'exited', exitCode: 137 }),
  created: (_, web) => Object.assign(web, { state: 'created', startedAt: null }),
  paused: (_, web) => Object.assign(web, { state: 'paused' }),
  dead: (_, web) => Object.assign(web, { state: 'dead' }),
  gone: ({ engine }, web) => engine.state.containers.delete(web.id),
  unhealthy: (_, web) => Object.assign(web, { health: 'unhealthy' }),
  stopped: (here) => call(stop, of(here)),
  'scaled to 2': (here) => call(scale, of(here, { replicas: 2 })),
  'scaled to 0': (here) => call(scale, of(here, { replicas: 0 })),
  'taken down': (here) => call(down, ask(here, {})),
}

const of = ({ ports }: World, body?: object) => ({
  ports,
  as: 'operator' as const,
  path: { name: 'shop', service: 'web' },
  body,
})
const ask = ({ ports }: World, body?: object) => ({
  ports,
  as: 'operator' as const,
  path: { name: 'shop' },
  body,
})

const operations: Record<string, (here: World) => Promise<{ status: number; json: Json }>> = {
  start: (here) => call(start, of(here)),
  stop: (here) => call(stop, of(here)),
  restart: (here) => call(restart, of(here)),
  pause: (here) => call(pause, of(here)),
  unpause: (here) => call(unpause, of(here)),
  'scale to 2': (here) => call(scale, of(here, { replicas: 2 })),
  'scale to 1': (here) => call(scale, of(here, { replicas: 1 })),
  'scale to 0': (here) => call(scale, of(here, { replicas: 0 })),
  pull: (here) => call(pull, of(here)),
  'deploy web': (here) => call(deploy, ask(here, { services: ['web'] })),
  'deploy db': (here) => call(deploy, ask(here, { services: ['db'] })),
  deploy: (here) => call(deploy, ask(here, {})),
  'stop stack': (here) => call(stopStack, ask(here)),
  down: (here) => call(down, ask(here, {})),
}

async function look({ engine, ports }: World, before: HostWatch): Promise<HostWatch> {
  engine.state.touch()
  const containers = await engine.sample(new AbortController().signal)
  const stops = new Map(Object.entries((await ports.hostStops.find('local'))?.stops ?? {}))
  const stacks = new Map([['shop', present(await ports.stacks.find('shop'))]])
  return nextWatch(before, { containers, stops, stacks, engine: null, now: ports.clock.now() })
}

/** Returns what is seen of the stack: service, stack, alert, and the next plan. */
async function seen(here: World, watch: HostWatch): Promise<string> {
  here.engine.state.touch()
  const rows: Json[] = (await call(statusOf, ask(here))).json
  const web = rows.find(({ service }) => service === 'web')
  const stack = (await call(getStack, ask(here))).json
  const isDown = Object.values((await look(here, watch)).expected).some(({ is }) => is === 'down')
  const steps: Json[] = (await call(plan, ask(here, {}))).json
  const actions = steps.map(({ action, name }) => `${action} ${name.replace(/^.*shop[-_]/, '')}`)
  const alert = isDown ? ', alert' : ''
  return `${web?.service_state}, ${stack.status}${alert}: ${actions.join(', ') || 'nothing'}`
}

async function after(happening: string, operation: string): Promise<string> {
  const here = world()
  await givenStack(here, 'shop', { compose })
  const first = await look(here, { id: 'local', expected: {}, restarts: {} })
  const web = [...here.engine.state.containers.values()].find(({ name }) => name === 'shop-web-1')
  await present(happenings[happening])(here, present(web))
  const second = await look(here, first)
  const { status, json } = await present(operations[operation])(here)
  const isDone = status === 200 && (json.steps === undefined || json.status === 'succeeded')
  return `${isDone ? '' : `${status === 200 ? 'failed' : status} and `}${await seen(here, second)}`
}

const up = 'running, running: nothing'
const isPaused = 'paused, partial: start web-1'
const isStopped = 'stopped, partial: start web-1'
const hasTwo = 'running, running: warning web, stop web-2, remove web-2'
const hasNone = 'inactive, running: warning web, create web-1, start web-1'
const createsAll = 'create db-1, create web-1, start db-1, start web-1'
const isDown = `inactive, not_deployed: create default, ${createsAll}`
const onlyWeb = 'create db-1, start db-1'

/** What is seen if the operation changes nothing. */
const unchanged: Record<keyof typeof happenings, string> = {
  running: up,
  'ended 0': 'completed, running: nothing',
  'ended 1': 'failed, failed, alert: start web-1',
  // An alert must not miss what the kernel killed.
  killed: 'stopped, partial, alert: start web-1',
  created: 'partial, partial: start web-1',
  paused: isPaused,
  dead: 'failed, failed, alert: recreate web-1, remove web-1, rename web-1, start web-1',
  gone: 'failed, failed, alert: create web-1, start web-1',
  unhealthy: 'unhealthy, partial: nothing',
  stopped: isStopped,
  'scaled to 2': hasTwo,
  'scaled to 0': hasNone,
  'taken down': isDown,
}

type Expected = Partial<Record<keyof typeof happenings, string>>

const same = (text: string, states: readonly string[]): Expected =>
  Object.fromEntries(states.map((state) => [state, text]))

const all = Object.keys(happenings)
/** The states of one container that a start ends. */
const startable = ['ended 0', 'ended 1', 'killed', 'created', 'dead', 'stopped']
const without = ['gone', 'scaled to 0', 'taken down']

/** Operation → state → what is seen afterwards, if that is not `unchanged`. */
const expected: Record<keyof typeof operations, Expected> = {
  start: {
    ...same(up, startable),
    paused: `failed and ${isPaused}`,
    ...Object.fromEntries(without.map((one) => [one, `409 and ${unchanged[one]}`])),
  },
  stop: {
    ...same(isStopped, ['running', 'paused', 'unhealthy']),
    'scaled to 2': 'stopped, partial: warning web, remove web-2, start web-1',
  },
  restart: same(up, [...startable, 'paused', 'unhealthy']),
  pause: {
    ...same(isPaused, ['running', 'unhealthy']),
    paused: `409 and ${isPaused}`,
    'scaled to 2': 'paused, partial: warning web, stop web-2, remove web-2, start web-1',
  },
  unpause: { paused: up },
  'scale to 2': {
    ...same(hasTwo, all),
    'ended 0': 'partial, partial: warning web, stop web-2, remove web-2',
    paused: 'failed and partial, partial: warning web, stop web-2, remove web-2, start web-1',
    unhealthy: 'unhealthy, partial: warning web, stop web-2, remove web-2',
    'taken down': `${hasTwo}, ${onlyWeb}`,
  },
  'scale to 1': {
    ...same(up, all),
    ...same(unchanged['ended 0'] ?? '', ['ended 0']),
    paused: `failed and ${isPaused}`,
    unhealthy: 'unhealthy, partial: nothing',
    'taken down': `running, running: ${onlyWeb}`,
  },
  'scale to 0': {
    ...same(hasNone, all),
    'taken down': `inactive, running: warning web, ${createsAll}`,
  },
  pull: {},
  'deploy web': {
    ...same(up, all),
    ...same(unchanged['ended 0'] ?? '', ['ended 0']),
    paused: `failed and ${isPaused}`,
    unhealthy: 'unhealthy, partial: nothing',
    'taken down': `running, running: ${onlyWeb}`,
  },
  'deploy db': { 'taken down': 'inactive, running: create web-1, start web-1' },
  deploy: {
    ...same(up, all),
    ...same(unchanged['ended 0'] ?? '', ['ended 0']),
    paused: `failed and ${isPaused}`,
    unhealthy: 'unhealthy, partial: nothing',
  },
  'stop stack': {
    ...same(`stopped, stopped: ${createsAll}`, all),
    'taken down': isDown,
  },
  down: same(isDown, all),
}

test.each(Object.keys(operations))('%s in every state', async (operation) => {
  const found: Record<string, string> = {}
  for (const happening of all) found[happening] = await after(happening, operation)
  expect(found).toEqual({ ...unchanged, ...expected[operation] })
})
