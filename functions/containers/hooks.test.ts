import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { givenRole } from '../../local/harness/roles.ts'
import {
  givenContainer,
  givenHost,
  givenStack,
  type World,
  world,
} from '../../local/harness/world.ts'
import { conflict } from '../core/errors.ts'
import update from '../stacks/update.ts'
import kill from './kill.ts'
import restart from './restart.ts'
import start from './start.ts'
import stop from './stop.ts'

const actions = { start, stop, restart, kill }

const compose = (word: string) => `services:
  web:
    image: busybox:latest
    command: sleep 60
    pre_stop: [{command: ${word}-stop}]
    post_start: [{command: ${word}-start, user: root, working_dir: /tmp, environment: [WHO=hook]}]
`

/** Returns a deployed stack whose commands record the state of its container. */
async function deployed() {
  const here = world()
  await givenStack(here, 'shop', { compose: compose('own') })
  const ran: string[] = []
  here.engine.failing = (step) => {
    if (step.action !== 'exec') return undefined
    ran.push(`${step.body.Cmd} while ${container(here).state}`)
    return undefined
  }
  return { ...here, ran }
}

const container = ({ engine }: Pick<World, 'engine'>) =>
  present([...engine.state.containers.values()].find(({ name }) => name === 'shop-web-1'))

const ask = ({ ports }: Pick<World, 'ports'>, action: keyof typeof actions, id = 'shop-web-1') =>
  call(actions[action], { ports, as: 'operator', path: { id } })

test('200: a restart runs pre_stop before it and post_start after it', async () => {
  const here = await deployed()
  const { status, json } = await ask(here, 'restart')
  expect([status, json.state]).toEqual([200, 'running'])
  expect(here.ran).toEqual(['own-stop while running', 'own-start while running'])
  expect(here.engine.executed.at(-1)).toMatchObject({
    action: 'exec',
    body: { Cmd: ['own-start'], User: 'root', WorkingDir: '/tmp', Env: ['WHO=hook'] },
  })
})

test('200: stop and start run one command each, and none the second time', async () => {
  const here = await deployed()
  await ask(here, 'stop')
  await ask(here, 'stop')
  expect(here.ran).toEqual(['own-stop while running'])
  await ask(here, 'start')
  await ask(here, 'start')
  expect(here.ran.slice(1)).toEqual(['own-start while running'])
})

test('200: a restart of a stopped container runs only post_start', async () => {
  const here = await deployed()
  await ask(here, 'kill')
  await ask(here, 'restart')
  expect(here.ran).toEqual(['own-start while running'])
})

test('200: kill runs no command', async () => {
  const here = await deployed()
  await ask(here, 'kill')
  expect(here.ran).toEqual([])
})

test('200: stops the container even if a pre_stop fails', async () => {
  const here = await deployed()
  here.engine.failing = ({ action }) => (action === 'exec' ? conflict('exited with 3') : undefined)
  expect((await ask(here, 'stop')).json.state).toBe('exited')
})

test.each(['start', 'restart'] as const)(
  '409: a post_start fails after a %s, which names the service and the code',
  async (action) => {
    const here = await deployed()
    await ask(here, 'kill')
    here.engine.failing = ({ action: its }) =>
      its === 'exec' ? conflict('own-start in shop-web-1 exited with 3') : undefined
    const { status, json } = await ask(here, action)
    const error = 'service web: post_start: own-start in shop-web-1 exited with 3'
    expect([status, json.error]).toEqual([409, error])
    expect(container(here).state).toBe('running')
  },
)

test('200: runs no command of files that the container was not created from', async () => {
  const here = await deployed()
  const { ports } = here
  const as = await givenRole(here, ['stacks:read', 'stacks:update'])
  const body = { compose: compose('planted') }
  const saved = await call(update, { ports, as, path: { name: 'shop' }, body })
  expect(saved.status).toBe(200)
  await ask(here, 'restart')
  expect(here.ran).toEqual(['own-stop while running', 'own-start while running'])
})

test('200: a container that only has the labels of a stack runs none of its commands', async () => {
  const here = await deployed()
  const labels = { ...(container(here).body.Labels as Record<string, string>) }
  const oneOff = { ...labels, 'com.docker.compose.oneoff': 'True' }
  const id = await givenContainer(here, 'forged', { labels: oneOff })
  expect((await ask(here, 'restart', id)).status).toBe(200)
  const far = await givenHost(here, 'far', { tags: ['far'] })
  const other = await givenContainer(far, 'other', { labels })
  const as = { ...(await givenRole(here, ['containers:operate'])), scopeTags: ['far'] }
  const request = { ports: here.ports, as, path: { id: other }, query: { host: 'far' } }
  expect((await call(restart, request)).status).toBe(200)
  expect(here.ran).toEqual([])
  expect(far.engine.executed.filter(({ action }) => action === 'exec')).toEqual([])
})
