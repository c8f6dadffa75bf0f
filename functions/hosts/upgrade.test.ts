import { expect, test } from 'vitest'
import { deployment } from '../../adapters/testing/contract/samples.ts'
import { agentHost, hostNameOf } from '../../adapters/testing/memory/hosts.ts'
import { memoryPages } from '../../adapters/testing/memory/pages.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { connectAgent } from '../../local/harness/connect-agent.ts'
import { givenHost, type World, world } from '../../local/harness/world.ts'
import { internalError } from '../core/errors.ts'
import { version } from '../core/version.ts'
import get from './get.ts'
import upgrade from './upgrade.ts'
import upgradeAgents from './upgrade-agents.ts'

const minute = 60_000

/** A service with connected agents of an earlier version. */
async function outdated(...ids: string[]): Promise<World> {
  const here = world()
  const page = { text: 'the agent', contentType: 'text/javascript', etag: '"1"' }
  here.ports.pages = memoryPages({ 'agent.mjs': page })
  for (const id of ids) {
    await here.ports.hosts.create(agentHost(id))
    await connectAgent(id, here.ports)
  }
  return here
}

const ask = ({ ports }: World, body = {}) => call(upgrade, { ports, as: 'admin', body })

const pass = ({ ports }: World) => upgradeAgents.with(ports)()

const states = async ({ ports }: World) =>
  (await ports.hosts.list()).flatMap(({ id, agent }) =>
    agent?.upgrade ? [`${id} ${agent.upgrade.state}`] : [],
  )

test('200: one agent first, then a tenth, then all others', async () => {
  const here = await outdated('a', 'b', 'c')
  const { ports } = here
  const { status, json } = await ask(here)
  expect([status, json]).toEqual([200, { upgrade_id: expect.any(String), agents: 3, skipped: [] }])
  const { json: shown } = await call(get, { ports, as: 'viewer', path: { id: 'a' } })
  expect(shown.agent).toMatchObject({
    is_outdated: true,
    upgrade: { id: json.upgrade_id, state: 'waiting', to: version, error: null },
  })
  await pass(here)
  await pass(here)
  expect(ports.agentPrograms.sent).toEqual(['a'])
  for (const id of ['a', 'b', 'c']) {
    await connectAgent(id, ports, { version })
    await pass(here)
  }
  expect(ports.agentPrograms.sent).toEqual(['a', 'b', 'c'])
  expect(await states(here)).toEqual(['a succeeded', 'b succeeded', 'c succeeded'])
  const { rows } = await ports.audit.list({ action: 'hosts.agent.upgrade', limit: 9 })
  expect(rows.map(({ subject, outcome }) => [subject?.id, outcome])).toEqual(
    ['c', 'b', 'a'].map((id) => [id, 'succeeded']),
  )
})

test('200: nothing is outdated, or cannot be replaced by the service', async () => {
  const here = await outdated('a', 'b')
  await connectAgent('a', here.ports, { version })
  await connectAgent('b', here.ports, { replaceable: false })
  const { upgrade_id: id, agents, skipped } = (await ask(here)).json
  expect([id, agents]).toEqual([null, 0])
  const reason = expect.stringContaining('upgrade it on its host')
  expect(skipped).toEqual([{ host_id: 'b', host_name: hostNameOf('b'), reason }])
})

test('an agent that does not come back stops the rest', async () => {
  const here = await outdated('a', 'b')
  await ask(here)
  await pass(here)
  await pass(here)
  here.ports.clock.advance(6 * minute)
  await pass(here)
  expect(await states(here)).toEqual(['a failed', 'b skipped'])
  expect(here.ports.agentPrograms.sent).toEqual(['a'])
  // Asked for again, it begins again.
  expect((await ask(here)).json.agents).toBe(2)
})

test('200: says which agents are skipped, and why', async () => {
  const here = await outdated('a', 'b', 'c')
  const { ports } = here
  await connectAgent('b', ports, { replaceable: undefined })
  await ports.hosts.create(agentHost('gone'))
  const revoked = agentHost('out')
  await ports.hosts.create({
    ...revoked,
    agent: { ...present(revoked.agent), state: 'revoked' },
  })
  const reasons = async (body = {}) =>
    (await ask(here, body)).json.skipped.map(
      ({ host_id: id, reason }: { host_id: string; reason: string }) => `${id}: ${reason}`,
    )
  expect(await reasons()).toEqual([
    expect.stringMatching(/^b: .*enrol --replace/),
    'gone: its agent is offline',
  ])
})

test('200: names also what was named and needs no upgrade', async () => {
  const here = await outdated('a', 'b')
  await connectAgent('b', here.ports, { version })
  const { agents, skipped } = (await ask(here, { hosts: ['a', 'a', 'b', 'local'] })).json
  expect(agents).toBe(1)
  expect(skipped).toMatchObject([
    { host_id: 'b', reason: expect.stringContaining('already') },
    { host_id: 'local', reason: expect.stringContaining('no agent') },
  ])
})

test('an agent waits for a deployment on its host, and the next wave with it', async () => {
  const here = await outdated('a', 'b')
  const { agentPrograms, deployments } = here.ports
  const running = { ...deployment('d1', 'shop'), hostId: 'a', status: 'running' as const }
  await deployments.create(running)
  await ask(here)
  await pass(here)
  here.ports.clock.advance(20 * minute)
  await pass(here)
  expect([agentPrograms.sent, await states(here)]).toEqual([[], ['a waiting', 'b waiting']])
  await deployments.save({ ...running, status: 'succeeded' })
  await pass(here)
  expect(agentPrograms.sent).toEqual(['a'])
})

test('a deployment that begins while another agent gets its program is waited for', async () => {
  const here = await outdated('a', 'b', 'c')
  const { agentPrograms, deployments } = here.ports
  await ask(here)
  await pass(here)
  const { replace } = agentPrograms
  agentPrograms.replace = async (...args) => {
    await deployments.create({ ...deployment('d1', 'shop'), hostId: 'c', status: 'running' })
    return replace(...args)
  }
  await connectAgent('a', here.ports, { version })
  await pass(here)
  await connectAgent('b', here.ports, { version })
  await pass(here)
  expect([agentPrograms.sent, await states(here)]).toEqual([
    ['a', 'b'],
    ['a succeeded', 'b succeeded', 'c waiting'],
  ])
})

test('a clock that jumps fails no agent', async () => {
  const here = await outdated('a')
  await ask(here)
  await pass(here)
  for (const jump of [60 * minute, -120 * minute]) {
    here.ports.clock.jump(jump)
    await pass(here)
    expect(await states(here)).toEqual(['a running'])
  }
  await connectAgent('a', here.ports, { version })
  await pass(here)
  expect(await states(here)).toEqual(['a succeeded'])
})

test('an agent that refuses the program stops the rest, and says why', async () => {
  const here = await outdated('a', 'b')
  here.ports.agentPrograms.refusals.set('a', internalError('the disk is full'))
  await ask(here)
  await pass(here)
  await pass(here)
  expect(await states(here)).toEqual(['a failed', 'b skipped'])
  const { agent } = present(await here.ports.hosts.find('a'))
  expect(agent?.upgrade?.error).toBe('the disk is full')
})

test('a process that was killed after it began sends nothing twice', async () => {
  const here = await outdated('a')
  await ask(here)
  const { agentPrograms } = here.ports
  const { replace } = agentPrograms
  agentPrograms.replace = () => new Promise(() => {})
  void pass(here)
  await expect.poll(() => states(here)).toEqual(['a running'])
  agentPrograms.replace = replace
  here.ports.clock.advance(2 * minute)
  await pass(here)
  expect(agentPrograms.sent).toEqual([])
  here.ports.clock.advance(6 * minute)
  await pass(here)
  expect(await states(here)).toEqual(['a failed'])
})

test('403 and 404: an operator, an admin of some hosts, and a host that does not exist', async () => {
  const here = world()
  await givenHost(here, 'far', { tags: ['lab'] })
  const { ports } = here
  expect((await call(upgrade, { ports, as: 'operator', body: {} })).status).toBe(403)
  const as = { username: 'lars', role: 'admin', scopeTags: ['lab'] }
  expect((await call(upgrade, { ports, as, body: {} })).status).toBe(403)
  expect((await ask(here, { hosts: ['none'] })).status).toBe(404)
})

test('409: an upgrade is in progress, or the named agent cannot be upgraded', async () => {
  const here = await outdated('a', 'b')
  await connectAgent('b', here.ports, { replaceable: false })
  const { status, json } = await ask(here, { hosts: ['b'] })
  expect([status, json.error]).toEqual([409, expect.stringContaining('upgrade it on its host')])
  await ask(here)
  expect((await ask(here)).json.error).toContain('in progress')
})
