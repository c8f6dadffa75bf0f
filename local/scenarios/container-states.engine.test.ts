import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import { type Machine, startMachine } from '../harness/machine.ts'
import {
  api,
  newPlace,
  type Place,
  type Running,
  setUpAdmin,
  startIn,
  until,
} from '../harness/service.ts'

let machine: Machine
let place: Place
let running: Running
let token: string

beforeAll(async () => {
  machine = await startMachine({ bridge: true })
  place = newPlace(machine.env)
  running = await startIn(place)
  token = await setUpAdmin(place, running)
})

afterAll(async () => {
  await place?.remove()
  machine?.remove()
})

const ask = async (method: string, path: string, body?: object) =>
  (await api(running, method, path, { token, body })).json

async function deploy(name: string, services: Record<string, object>) {
  const own = { image: 'busybox:latest', init: true, network_mode: 'none', stop_grace_period: '1s' }
  const all = Object.entries(services).map(([key, more]) => [key, { ...own, ...more }])
  const compose = JSON.stringify({ services: Object.fromEntries(all) })
  const made = await api(running, 'POST', '/stacks', { token, body: { name, compose } })
  expect(made.status, JSON.stringify(made.json)).toBe(201)
  return ask('POST', `/stacks/${name}/deploy`, {})
}

async function look(name: string) {
  const { status, services } = await ask('GET', `/stacks/${name}`)
  const rows: Json[] = await ask('GET', `/stacks/${name}/status`)
  const details = Object.fromEntries(rows.map((row) => [row.service, row.detail]))
  const states = Object.fromEntries(rows.map((row) => [row.service, row.service_state]))
  return { status, services, states, details }
}

const stays = { command: 'sleep 3600' }

test('a crash loop is failed, whenever one looks', async () => {
  const loop = { command: ['sh', '-c', 'sleep 0.4; exit 1'], restart: 'always' }
  await deploy('loops', { web: stays, loop })
  const status = async () => (await ask('GET', '/stacks')).find((one: Json) => one.name === 'loops')
  await until(status, ({ status }) => status === 'failed')
  const seen = new Set<string>()
  for (const end = Date.now() + 8_000; Date.now() < end; await pause(40)) {
    const { status: now, services } = await status()
    const text = `${now} ${services.running}/${services.total}`
    // What the Engine says right then tells why it was called something else.
    const why = text === 'failed 1/2' ? '' : ` ${machine.docker('inspect', 'loops-loop-1')}`
    seen.add(text + why)
  }
  expect([...seen]).toEqual(['failed 1/2'])
  // The Engine does not answer for a container while it starts it: there is no detail then.
  const { states, details } = await until(
    () => look('loops'),
    ({ details }) => details.loop !== null,
  )
  expect(states).toEqual({ loop: 'restarting', web: 'running' })
  expect(details.loop).toMatch(/^restarted \d+ times by its restart policy$/)
})

test('a container stopped with docker is stopped, and its stack is partial', async () => {
  // It ends with 0, so that only the event of the stop tells.
  const command = ['sh', '-c', 'trap "exit 0" TERM; sleep 3600 & wait']
  await deploy('half', { web: stays, db: { command, init: false } })
  machine.docker('stop', 'half-db-1')
  const seen = await until(
    () => look('half'),
    ({ status }) => status === 'partial',
  )
  expect(seen).toMatchObject({ services: { total: 2, running: 1 }, states: { db: 'stopped' } })
  expect(seen.details.db).toMatch(/^stopped on the host \d\d:\d\d UTC$/)
  machine.docker('start', 'half-db-1')
  await until(
    () => look('half'),
    ({ status }) => status === 'running',
  )
  machine.docker('kill', 'half-web-1')
  machine.docker('rm', '-f', 'half-db-1')
  expect(
    await until(
      () => look('half'),
      ({ status }) => status === 'failed',
    ),
  ).toMatchObject({
    states: { db: 'failed', web: 'stopped' },
    details: { db: 'its containers were removed outside the service' },
  })
})

test('a container that cannot be started is failed, with the reason', async () => {
  const ended = await deploy('broken', {
    web: stays,
    app: { command: '/no-such-program', init: false },
  })
  expect(ended).toMatchObject({ status: 'failed' })
  const failed = ended.steps.filter(({ status }: Json) => status === 'failed')
  expect(failed).toMatchObject([{ action: 'start', name: 'broken-app-1' }])
  expect(failed[0].error).toContain('/no-such-program')
  const seen = await look('broken')
  expect(seen).toMatchObject({ status: 'failed', states: { app: 'failed', web: 'running' } })
  expect(seen.details.app).toMatch(/^could not be started: .*\/no-such-program/)
})

const policies = {
  none: stays,
  always: { ...stays, restart: 'always' },
  kept: { ...stays, restart: 'unless-stopped' },
  asleep: { ...stays, restart: 'unless-stopped' },
}

async function idOf(container: string): Promise<string> {
  const all: Json[] = await ask('GET', '/containers?all=true')
  return all.find(({ name }) => name === container)?.id
}

/** Waits for the Engine after a boot, and until it has started what it starts. */
const afterBoot = (name: string) =>
  until(
    () =>
      look(name).catch(() => ({
        states: {} as Json,
        status: '',
        services: {},
        details: {} as Json,
      })),
    ({ states }) => states.always === 'running' && states.kept === 'running',
  )

test('a machine that is shut down and boots again', async () => {
  await deploy('boots', policies)
  await ask('POST', `/containers/${await idOf('boots-asleep-1')}/stop`)
  expect((await look('boots')).states).toMatchObject({ asleep: 'stopped', none: 'running' })
  await machine.shutDown()
  await until(
    async () => (await ask('GET', '/stacks/boots')).status,
    (now) => now === 'unknown',
  )
  await machine.boot()
  const seen = await afterBoot('boots')
  expect(seen.states).toEqual({
    always: 'running',
    asleep: 'stopped',
    kept: 'running',
    none: 'stopped',
  })
  expect(seen.status).toBe('partial')
  expect(seen.details.asleep).toMatch(/^stopped by admin /)
  // The Engine stopped it with itself, which no user did.
  expect(seen.details.none).toMatch(/^ended by a signal/)
})

test('a machine that loses its power and boots again', async () => {
  await deploy('crashes', policies)
  machine.powerOff()
  await machine.boot()
  const seen = await afterBoot('crashes')
  expect(seen.states).toMatchObject({ always: 'running', asleep: 'running', kept: 'running' })
  expect(['failed', 'stopped']).toContain(seen.states.none)
})
