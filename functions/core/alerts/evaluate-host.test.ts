import { expect, test, vi } from 'vitest'
import { backupJob, jobRun, stackJob } from '../../../adapters/testing/contract/samples.ts'
import { nameImage } from '../../../adapters/testing/memory/engine-images.ts'
import { hostNameOf } from '../../../adapters/testing/memory/hosts.ts'
import { present } from '../../../adapters/testing/present.ts'
import { call } from '../../../local/harness/call.ts'
import { givenContainer, givenHost, givenStack, world } from '../../../local/harness/world.ts'
import kill from '../../containers/kill.ts'
import { internalError } from '../errors.ts'
import { sampledId } from '../metrics/history.ts'
import type { AlertRule } from '../records/alert-rule.ts'
import type { Host } from '../records/host.ts'
import { imageLook, oldDigest } from '../updates/look-samples.ts'
import { evaluateHost } from './evaluate-host.ts'
import { alertRule } from './rule-samples.ts'

const name = hostNameOf('far')

/** Returns a world in which a host is sampled every 15 s. */
async function watched(...rules: Partial<AlertRule>[]) {
  const here = world()
  const { ports } = here
  for (const [at, rule] of rules.entries()) {
    const own = { id: `r${at}`, name: `rule ${at}`, operator: 'eq' as const, threshold: 1 }
    await ports.alertRules.create(alertRule({ ...own, ...rule }))
  }
  const look = async (host?: Host, process = 'p1') => {
    ports.clock.advance(15_000)
    const one = host ?? present(await ports.hosts.find('local'))
    const lease = present(await ports.leases.acquire(`look:${one.id}`, process, 20_000))
    await evaluateHost(one, lease, 15_000, ports)
  }
  const told = async () =>
    (await ports.alertEvents.list({ limit: 100 })).events
      .reverse()
      .map(({ ruleId, subject, state }) => `${ruleId} ${subject.name} ${state}`)
  const sent = async () =>
    (await ports.alertDeliveries.list('pending', 100)).deliveries.map(
      ({ channelId, event }) => `${channelId} ${event.subject.name} ${event.state}`,
    )
  return { ...here, look, told, sent }
}

const down = { metric: 'container_down' } as const

test('a killed container is down until it runs again, and its channels are notified', async () => {
  const here = await watched(down)
  const id = await givenContainer(here, 'web')
  await here.look()
  await here.engine.act(id, { kind: 'kill' })
  await here.look()
  await here.look()
  expect(await here.told()).toEqual(['r0 web firing'])
  await here.engine.act(id, { kind: 'start' })
  await here.look()
  expect(await here.told()).toEqual(['r0 web firing', 'r0 web resolved'])
  expect(await here.sent()).toEqual(['c1 web firing', 'c1 web resolved'])
})

test('a container that was stopped, removed or exited with 0 is not down', async () => {
  const here = await watched(down)
  const [stopped, removed] = [
    await givenContainer(here, 'stopped'),
    await givenContainer(here, 'removed'),
  ]
  await givenContainer(here, 'done', { command: ['exit 0'] })
  await givenContainer(here, 'old', { command: ['exit 3'] })
  await here.look()
  await here.engine.act(stopped, { kind: 'stop' })
  await here.engine.removeContainer(removed, { force: true })
  await here.look()
  await here.look()
  expect(await here.told()).toEqual([])
})

test('an alert says that its subject is gone, if that is why it resolved', async () => {
  const here = await watched(down, { metric: 'unhealthy' }, { metric: 'deploy_failed' })
  const ids = new Map<string, string>()
  for (const one of ['removed', 'renamed', 'again']) ids.set(one, await givenContainer(here, one))
  await here.look()
  for (const id of ids.values()) await here.engine.act(id, { kind: 'kill' })
  await here.look()
  await here.engine.removeContainer(present(ids.get('removed')), { force: true })
  await here.engine.removeContainer(present(ids.get('again')), { force: true })
  await givenContainer(here, 'again')
  await here.look()
  await here.look()
  const ends = (await here.ports.alertEvents.list({ limit: 100 })).events
    .filter(({ state }) => state === 'resolved')
    .map(({ subject, isGone }) => [subject.name, isGone])
  expect(Object.fromEntries(ends)).toEqual({ removed: true, again: undefined })
})

test('a container killed after a restart is down; a late stop event resolves the alert', async () => {
  const here = await watched(down)
  const [web, db] = [await givenContainer(here, 'web'), await givenContainer(here, 'db')]
  await here.look()
  await here.engine.act(web, { kind: 'stop' })
  await here.engine.act(web, { kind: 'start' })
  await here.look()
  await here.engine.act(web, { kind: 'kill' })
  await here.engine.act(db, { kind: 'stop' })
  const { events } = here.engine.state
  const told = present(events.pop())
  await here.look()
  expect(await here.told()).toEqual(['r0 web firing', 'r0 db firing'])
  events.push(told)
  await here.look()
  expect((await here.told()).slice(2)).toEqual(['r0 db resolved'])
})

test('a deployed stack reports a container that is missing or was removed', async () => {
  const here = await watched(down)
  await givenStack(here)
  const [db, web] = await here.engine.containers({ all: true })
  await here.engine.act(present(db).id, { kind: 'kill' })
  await here.look()
  expect(await here.told()).toEqual([`r0 ${present(db).name} firing`])
  await here.engine.removeContainer(present(web).id, { force: true })
  await here.look()
  expect((await here.told()).slice(1)).toEqual([`r0 ${present(web).name} firing`])
  const stack = present(await here.ports.stacks.find('shop'))
  await here.ports.stacks.replace({ ...stack, deployed: false })
  await here.engine.removeContainer(present(db).id, { force: true })
  await here.look()
  expect((await here.told()).slice(2).sort()).toEqual(
    [`r0 ${present(db).name} resolved`, `r0 ${present(web).name} resolved`].sort(),
  )
})

test('a container killed with this service is not down, and one that then crashes is', async () => {
  const here = await watched(down)
  const id = await givenContainer(here, 'web')
  await here.look()
  await call(kill, { ports: here.ports, as: 'operator', path: { id } })
  await here.look()
  await here.look()
  expect(await here.told()).toEqual([])
  here.ports.clock.advance(1000)
  await here.engine.act(id, { kind: 'start' })
  await here.look()
  await here.engine.act(id, { kind: 'kill' })
  await here.look()
  expect(await here.told()).toEqual(['r0 web firing'])
})

test('a stop on the host is remembered when the Engine has forgotten it', async () => {
  const here = await watched(down)
  await givenStack(here)
  const [db] = await here.engine.containers({ all: true })
  await here.engine.act(present(db).id, { kind: 'stop' })
  await here.look()
  here.engine.state.events.length = 0
  await here.ports.hostWatches.remove('local')
  await here.look()
  expect(await here.told()).toEqual([])
})

test('a crash loop is down at every moment', async () => {
  const here = await watched(down)
  const id = await givenContainer(here, 'web')
  await here.look()
  const web = present(here.engine.state.containers.get(id))
  web.restarts = 1
  web.startedAt = new Date(here.ports.clock.now() + 14_000).toISOString()
  await here.look()
  expect(await here.told()).toEqual(['r0 web firing'])
  web.state = 'restarting'
  await here.look()
  web.state = 'running'
  await here.look()
  expect(await here.told()).toEqual(['r0 web firing', 'r0 web resolved'])
})

test('a container that fails after 25 s again and again is down until it stays up', async () => {
  const here = await watched(down)
  const id = await givenContainer(here, 'web')
  const web = present(here.engine.state.containers.get(id))
  const begin = here.ports.clock.now()
  for (let looks = 1; looks <= 20; looks += 1) {
    const seconds = looks * 15
    web.restarts = Math.floor(seconds / 25)
    web.startedAt = new Date(begin + web.restarts * 25_000).toISOString()
    web.finishedAt = web.restarts > 0 ? web.startedAt : null
    await here.look()
  }
  expect(await here.told()).toEqual(['r0 web firing'])
  for (let looks = 0; looks < 4; looks += 1) await here.look()
  expect(await here.told()).toEqual(['r0 web firing', 'r0 web resolved'])
})

test('a container that could not be started is down', async () => {
  const here = await watched(down)
  await givenStack(here)
  const [, web] = [...here.engine.state.containers.values()]
  Object.assign(present(web), { state: 'created', startError: 'a port is taken' })
  await here.look()
  expect(await here.told()).toEqual([`r0 ${web?.name} firing`])
})

test('while the host reboots, containers that are about to be started are not down', async () => {
  const here = await watched(down)
  const id = await givenContainer(here, 'web')
  const web = present(here.engine.state.containers.get(id))
  web.body.HostConfig = { RestartPolicy: { Name: 'always' } }
  await here.look()
  Object.assign(web, { state: 'exited', exitCode: 255, finishedAt: here.engine.state.now() })
  here.engine.state.startedAt = here.ports.clock.now()
  await here.look()
  expect(await here.told()).toEqual([])
})

test('what an operation of ours stops or removes is not down while it runs', async () => {
  const here = await watched(down)
  await givenStack(here)
  await here.look()
  const stack = present(await here.ports.stacks.find('shop'))
  const last = { deploymentId: 'd', kind: 'deploy' as const, status: 'running' as const }
  const busy = present(await here.ports.stacks.replace({ ...stack, last }))
  const [db, web] = await here.engine.containers({ all: true })
  await here.engine.act(present(db).id, { kind: 'kill' })
  await here.engine.removeContainer(present(web).id, { force: true })
  await here.look()
  await here.look()
  expect(await here.told()).toEqual([])
  await here.ports.stacks.replace({ ...busy, last: { ...last, status: 'failed' } })
  await here.look()
  expect((await here.told()).sort()).toEqual(
    [`r0 ${present(db).name} firing`, `r0 ${present(web).name} firing`].sort(),
  )
})

test('a service stopped by verb is not missed, one that was scaled is', async () => {
  const here = await watched(down)
  await givenStack(here)
  await here.look()
  const [db, web] = await here.engine.containers({ all: true })
  const stack = present(await here.ports.stacks.find('shop'))
  const stop = { verb: 'stop' as const, by: 'mia', at: 0 }
  await here.ports.stacks.replace({ ...stack, verbs: { db: stop } })
  for (const one of [db, web]) {
    await here.engine.removeContainer(present(one).id, { force: true })
  }
  await here.look()
  expect(await here.told()).toEqual([`r0 ${present(web).name} firing`])
})

test('an offline host fires only host_down, and its containers keep their state', async () => {
  const busy = { metric: 'cpu_percent', operator: 'gt', threshold: 50 } as const
  const here = await watched({ metric: 'host_down' }, down, busy)
  const far = await givenHost(here, 'far')
  const host = present(await here.ports.hosts.find('far'))
  await givenContainer(far, 'web')
  far.engine.state.usage.set('web', { cpuPercent: 99 })
  await here.look(host)
  far.off()
  await here.look(host)
  await here.look(host)
  expect(await here.told()).toEqual(['r2 web firing', `r0 ${name} firing`])
  far.engine.offline = undefined
  await here.look(host)
  expect((await here.told()).slice(2)).toEqual([`r0 ${name} resolved`])
  expect(await here.ports.metricHistory.ofHost('far', 0)).toMatchObject([
    ...[{ up: true }, { up: false }, { up: false }, { up: true }],
  ])
})

test('a host is offline after three seconds without an answer', async () => {
  const here = await watched({ metric: 'host_down' })
  const far = await givenHost(here, 'far')
  far.engine.sample = () => new Promise(() => {})
  const host = present(await here.ports.hosts.find('far'))
  const looking = here.look(host)
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
  here.ports.clock.advance(3_000)
  await looking
  expect(await here.told()).toEqual([`r0 ${name} firing`])
})

test('counts restarts within the time of the rule', async () => {
  const rule = { metric: 'restarts', operator: 'gte', threshold: 3, forSeconds: 60 } as const
  const here = await watched(rule)
  const id = await givenContainer(here, 'web')
  const container = present(here.engine.state.containers.get(id))
  container.createdAt = '2026-01-01T00:00:00Z'
  container.restarts = 7
  await here.look()
  container.restarts = 9
  await here.look()
  expect(await here.told()).toEqual([])
  container.restarts = 10
  await here.look()
  expect(await here.told()).toEqual(['r0 web firing'])
  for (let turn = 0; turn < 4; turn += 1) await here.look()
  expect(await here.told()).toEqual(['r0 web firing', 'r0 web resolved'])
})

test('evaluates the metrics of containers and hosts, and the match of each rule', async () => {
  const over = { operator: 'gt', threshold: 80 } as const
  const here = await watched(
    { ...over, metric: 'memory_percent', match: { containers: ['w*'] } },
    { ...over, metric: 'disk_percent', match: { hosts: ['local'] } },
    { metric: 'unhealthy', match: { stacks: ['shop'] } },
    { ...over, metric: 'cpu_percent', match: { hosts: ['other'] } },
    { ...over, metric: 'service_disk_percent' },
  )
  here.ports.selfCheck.disk = async () => ({ used: 95, total: 100 })
  const web = await givenContainer(here, 'web')
  await givenContainer(here, 'db')
  for (const name of ['web', 'db']) {
    here.engine.state.usage.set(name, { memoryPercent: 90, cpuPercent: 100 })
  }
  const gib = 1024 ** 3
  const machine = { cpuPercent: 1, memory: 1, memoryTotal: 2, disk: 9 * gib, diskTotal: 10 * gib }
  here.ports.hostGauges.figures.set('local', machine)
  present(here.engine.state.containers.get(web)).health = 'unhealthy'
  await here.look()
  expect(await here.told()).toEqual(['r0 web firing', 'r1 Cellar firing', 'r4 Cellar firing'])
  expect(await here.ports.metricHistory.latest('local')).toMatchObject({
    host: { up: true, running: 2, total: 2, disk: 9 * gib },
    containers: [{ id: sampledId(web), point: { memoryPercent: 90 } }, {}],
  })
})

test('a failed deployment or backup fires until the next one succeeds', async () => {
  const here = await watched({ metric: 'deploy_failed' }, { metric: 'backup_failed' })
  await givenStack(here)
  const run = { id: 'b1', startedAt: 0, finishedAt: 1, error: 'full' }
  const job = { ...backupJob('j1', 'nightly'), hostId: 'local' }
  await here.ports.backupJobs.create({ ...job, lastRun: { ...run, status: 'failed' } })
  const set = async (status: 'failed' | 'running' | 'succeeded') => {
    const stack = present(await here.ports.stacks.find('shop'))
    await here.ports.stacks.replace({ ...stack, last: { deploymentId: 'd', status } })
  }
  await set('failed')
  await here.look()
  expect(await here.told()).toEqual(['r0 shop firing', 'r1 nightly firing'])
  await set('running')
  await here.look()
  expect(await here.told()).toHaveLength(2)
  await set('succeeded')
  await here.look()
  expect((await here.told())[2]).toBe('r0 shop resolved')
})

test('a blocked backup job fires as a failed one, even before its first run', async () => {
  const here = await watched({ metric: 'backup_failed' })
  const job = { ...backupJob('j1', 'nightly'), hostId: 'local' }
  const actsAs = { accountId: 'a1', username: 'olga', since: 0, stacks: [] }
  const blocked = { ...job, actsAs: { ...actsAs, blocked: 'account olga was deleted' } }
  await here.ports.backupJobs.create(blocked)
  await here.look()
  expect(await here.told()).toEqual(['r0 nightly firing'])
  const found = present(await here.ports.backupJobs.find('j1'))
  const lastRun = {
    id: 'b1',
    status: 'succeeded' as const,
    startedAt: 0,
    finishedAt: 1,
    error: null,
  }
  await here.ports.backupJobs.replace({ ...found, lastRun })
  await here.look()
  expect(await here.told()).toHaveLength(1)
  const still = present(await here.ports.backupJobs.find('j1'))
  await here.ports.backupJobs.replace({ ...still, actsAs: { ...actsAs, blocked: null } })
  await here.look()
  expect(await here.told()).toEqual(['r0 nightly firing', 'r0 nightly resolved'])
})

test('a job of a stack that failed or is blocked fires until it is good again', async () => {
  const here = await watched({ metric: 'job_failed', match: { stacks: ['sh*'] } })
  const { stackJobs, stacks } = here.ports
  await givenStack(here)
  await givenStack(here, 'blog')
  const createdAt = async (stack: string) => present(await stacks.find(stack)).createdAt
  await here.look()
  expect(await here.told()).toEqual([])
  const job = stackJob('shop', 'nightly', await createdAt('shop'))
  await stackJobs.create({ ...job, runs: [jobRun('r2', 'running'), jobRun('r1', 'failed')] })
  const failed = { runs: [jobRun('r3', 'failed')] }
  await stackJobs.create({ ...stackJob('blog', 'nightly', await createdAt('blog')), ...failed })
  // It is of an earlier stack with that name.
  const earlier = stackJob('shop', 'weekly', (await createdAt('shop')) - 1)
  await stackJobs.create({ ...earlier, ...failed })
  await here.look()
  const { events } = await here.ports.alertEvents.list({ limit: 9 })
  expect(await here.told()).toEqual(['r0 shop firing'])
  expect(events).toMatchObject([{ detail: 'job nightly: it ended with code 3' }])
  const set = async (change: object) => {
    await stackJobs.replace({ ...present(await stackJobs.find('shop.nightly')), ...change })
    await here.look()
  }
  await set({ runs: [jobRun('r2')], actsAs: { ...job.actsAs, blocked: 'olga was deleted' } })
  expect(await here.told()).toHaveLength(1)
  await set({ actsAs: job.actsAs })
  expect(await here.told()).toEqual(['r0 shop firing', 'r0 shop resolved'])
})

test('sends an event that was decided before a crash, once', async () => {
  const here = await watched(down)
  const id = await givenContainer(here, 'web')
  await here.look()
  await here.engine.act(id, { kind: 'kill' })
  const { alertDeliveries } = here.ports
  const { add } = alertDeliveries
  alertDeliveries.add = async () => {
    throw new Error('the process ended')
  }
  await expect(here.look()).rejects.toThrow('the process ended')
  alertDeliveries.add = add
  await here.look()
  await here.look()
  expect(await here.told()).toEqual(['r0 web firing'])
  expect(await here.sent()).toEqual(['c1 web firing'])
})

test('only one of two concurrent evaluations sends the event', async () => {
  const here = await watched(down)
  const id = await givenContainer(here, 'web')
  await here.look()
  await here.engine.act(id, { kind: 'kill' })
  const host = present(await here.ports.hosts.find('local'))
  const old = present(await here.ports.leases.acquire('look:local', 'p1', 20_000))
  here.ports.clock.advance(20_000)
  const next = present(await here.ports.leases.acquire('look:local', 'p2', 20_000))
  const unaware = { ...old, renewedAt: next.renewedAt }
  await Promise.all([unaware, next].map((lease) => evaluateHost(host, lease, 15_000, here.ports)))
  await evaluateHost(host, next, 15_000, here.ports)
  await evaluateHost(host, unaware, 15_000, here.ports)
  expect(await here.told()).toEqual(['r0 web firing'])
  expect(await here.sent()).toEqual(['c1 web firing'])
})

test('a revoked host has no alerts', async () => {
  const here = await watched({ metric: 'host_down' })
  const far = await givenHost(here, 'far')
  far.off()
  const host = present(await here.ports.hosts.find('far'))
  await here.look(host)
  await here.look({ ...host, agent: { ...present(host.agent), state: 'revoked' } })
  expect(await here.told()).toEqual([`r0 ${name} firing`, `r0 ${name} resolved`])
  expect(await here.ports.alertStates.ofHost('far')).toEqual([])
})

const newer = { metric: 'updates_available', operator: 'gt', threshold: 0 } as const
const failing = { metric: 'update_checks_failed', operator: 'gt', threshold: 0 } as const
const nginx = 'docker.io/library/nginx:1'

/** Deploys stacks whose services run an image that was pulled. */
async function withStacks(here: Awaited<ReturnType<typeof watched>>, names: readonly string[]) {
  nameImage(here.engine.state, 'nginx:1', 'sha256:aa')
  nameImage(here.engine.state, `nginx@${oldDigest}`, 'sha256:aa')
  const service = '{image: "nginx:1", command: sleep 60}'
  const compose = `services: {db: ${service}, web: ${service}}`
  for (const one of names) await givenStack(here, one, { compose })
}

/** Returns the value and the detail of each alert that began. */
const begun = async ({ ports }: Awaited<ReturnType<typeof watched>>) =>
  (await ports.alertEvents.list({ limit: 100 })).events
    .filter(({ state }) => state === 'firing')
    .map(({ subject, value, detail }) => [subject.kind, subject.id, value, detail])

/** Changes what is known of the tag. */
async function relook(
  { ports }: Awaited<ReturnType<typeof watched>>,
  more: Parameters<typeof imageLook>[2],
) {
  const { revision } = present(await ports.imageLooks.find(nginx))
  present(await ports.imageLooks.replace({ ...imageLook(nginx, ['sha256:aa'], more), revision }))
}

test('newer images fire for stacks that match, until the services run them', async () => {
  const here = await watched({ ...newer, match: { stacks: ['sh*'] } })
  await withStacks(here, ['shop', 'blog'])
  await here.look()
  expect(await here.told()).toEqual([])
  await here.ports.imageLooks.create(imageLook(nginx, ['sha256:aa']))
  await here.look()
  expect(await begun(here)).toEqual([['stack', 'shop', 2, 'db: nginx:1, web: nginx:1']])
  await relook(here, { digest: oldDigest })
  const stack = present(await here.ports.stacks.find('shop'))
  const last = { deploymentId: 'd', kind: 'deploy' as const, status: 'running' as const }
  const busy = present(await here.ports.stacks.replace({ ...stack, last }))
  await here.look()
  expect(await here.told()).toHaveLength(1)
  await here.ports.stacks.replace({ ...busy, last: { ...last, status: 'succeeded' } })
  await here.look()
  expect(await here.told()).toEqual(['r0 shop firing', 'r0 shop resolved'])
})

test('a look that fails keeps the alert of the newer image, and fires its own', async () => {
  const here = await watched(newer, failing)
  await withStacks(here, ['shop'])
  await here.ports.imageLooks.create(imageLook(nginx, ['sha256:aa']))
  await here.look()
  const problem = { kind: 'failed' as const, text: 'docker.io: no route to host' }
  await relook(here, { problem, compared: {} })
  await here.look()
  expect(await here.told()).toEqual(['r0 shop firing', 'r1 shop firing'])
  const [last] = await begun(here)
  expect(last).toEqual(['stack', 'shop', 2, 'docker.io: no route to host (db, web)'])
  await here.ports.settings.save({ 'updates.check_hours': 0 })
  await here.look()
  expect(await here.told()).toEqual(['r0 shop firing', 'r1 shop firing', 'r1 shop resolved'])
})

test('alerts of newer images stay as they are while the host is offline', async () => {
  const here = await watched(newer, failing)
  await withStacks(here, ['shop'])
  await here.ports.imageLooks.create(imageLook(nginx, ['sha256:aa']))
  await here.look()
  here.engine.offline = internalError('it does not respond', { reason: 'host-offline' })
  await relook(here, { digest: oldDigest })
  await here.look()
  expect(await here.told()).toEqual(['r0 shop firing'])
  await here.ports.stacks.remove('shop')
  await here.look()
  expect(await here.told()).toEqual(['r0 shop firing', 'r0 shop resolved'])
})

test('reads looks once for a host, and only if an enabled rule for it needs them', async () => {
  const elsewhere = { ...newer, match: { hosts: ['far'] } }
  const here = await watched(down, { ...newer, enabled: false }, elsewhere)
  const list = vi.spyOn(here.ports.imageLooks, 'list')
  const images = vi.spyOn(here.engine, 'images')
  await here.look()
  expect([list, images].map(({ mock }) => mock.calls.length)).toEqual([0, 0])
  for (const [at, one] of [newer, failing].entries()) {
    await here.ports.alertRules.create(alertRule({ id: `n${at}`, name: `n${at}`, ...one }))
  }
  await here.look()
  expect([list, images].map(({ mock }) => mock.calls.length)).toEqual([1, 1])
})
