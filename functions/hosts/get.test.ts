import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import { givenHost, world } from '../../local/harness/world.ts'
import get from './get.ts'

test('200: returns the local host', async () => {
  const { ports } = world()
  const { status, json } = await call(get, { ports, as: 'viewer', path: { id: 'local' } })
  expect([status, json.kind, json.status]).toEqual([200, 'local', 'online'])
})

test('200: warns for two minutes of another machine with the certificate of the host', async () => {
  const here = world()
  await givenHost(here, 'far')
  const { hostConnections, clock } = here.ports
  const facts = { version: '1.0.0', hostname: 'far' }
  const connectedAt = clock.now()
  await hostConnections.claim({ hostId: 'far', processId: 'p', address: 'a:1', facts, connectedAt })
  const warning = async () =>
    (await call(get, { ports: here.ports, as: 'viewer', path: { id: 'far' } })).json.warning
  expect(await warning()).toBeNull()
  const duplicate = { hostname: 'copy', address: '192.0.2.7', at: clock.now() }
  await hostConnections.noteDuplicate('far', duplicate)
  expect(await warning()).toBe(
    'another machine uses the certificate of this host (copy, 192.0.2.7): enrol one of them again',
  )
  clock.advance(121_000)
  expect(await warning()).toBeNull()
})

test('200: warns of a process or an agent that cannot find its container, on its host', async () => {
  const here = world()
  await givenHost(here, 'far')
  await givenHost(here, 'other')
  const { engines, hostConnections, serviceProcesses, clock } = here.ports
  const warnings = async () =>
    Promise.all(
      ['local', 'far', 'other'].map(async (id) => {
        const { json } = await call(get, { ports: here.ports, as: 'viewer', path: { id } })
        return json.warning
      }),
    )
  expect(await warnings()).toEqual([null, null, null])
  const cannot = (part: string) =>
    expect.stringMatching(`^${part} runs in a container and cannot find which`)
  const about = { machine: 'nas', dataDirectory: '/data', store: null, container: 'unknown' }
  await serviceProcesses.create({ ...about, id: 'nas:/data', engineId: null })
  const facts = { version: '1.0.0', hostname: 'far', container: 'unknown' }
  const at = { processId: 'p', address: 'a:1', connectedAt: clock.now() }
  await hostConnections.beat('p', clock.now() + 60_000)
  await hostConnections.claim({ hostId: 'far', ...at, facts })
  await hostConnections.claim({ hostId: 'other', ...at, facts: { ...facts, container: 'none' } })
  const [process, agent] = [cannot('the service \\(on nas\\)'), cannot('the agent of this host')]
  expect(await warnings()).toEqual([process, agent, null])
  const { id: engineId } = await (await engines.on('other')).info()
  const known = (await serviceProcesses.list()).map((one) => ({ ...one, engineId }))
  for (const one of known) await serviceProcesses.replace(one)
  // The Engines of these hosts have the same ID: it is the machine of the process.
  expect(await warnings()).toEqual([process, process, process])
})

test('403: a host out of scope', async () => {
  const here = world()
  await givenHost(here, 'far', { tags: ['lab'] })
  const as = { username: 'ada', role: 'viewer', scopeTags: ['lab'] }
  const { status } = await call(get, { ports: here.ports, as, path: { id: 'local' } })
  expect(status).toBe(403)
})
