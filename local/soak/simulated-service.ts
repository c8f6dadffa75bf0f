import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { logsOf, storeClient } from '../../adapters/dynamo/client.ts'
import { ensureTable } from '../../adapters/dynamo/create-table.ts'
import { dynamoStore } from '../../adapters/dynamo/store.ts'
import { table } from '../../adapters/dynamo/table.ts'
import { storedPorts } from '../../adapters/store/stores.ts'
import { alertEvent, deployment } from '../../adapters/testing/contract/samples.ts'
import type { Json } from '../../adapters/testing/json.ts'
import { memoryAnchor } from '../../adapters/testing/memory/audit.ts'
import { localHost } from '../../adapters/testing/memory/hosts.ts'
import { memoryLog } from '../../adapters/testing/memory/log.ts'
import { memoryRandom } from '../../adapters/testing/memory/random.ts'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { present } from '../../adapters/testing/present.ts'
import login from '../../functions/auth/login.ts'
import refresh from '../../functions/auth/refresh.ts'
import { openAudit } from '../../functions/core/audit/open.ts'
import { sampledId } from '../../functions/core/metrics/history.ts'
import type { HostSample } from '../../functions/core/records/metrics.ts'
import ticket from '../../functions/feeds/tickets/create.ts'
import sweep from '../../functions/retention/sweep.ts'
import create from '../../functions/stacks/create.ts'
import deploy from '../../functions/stacks/deploy.ts'
import remove from '../../functions/stacks/remove.ts'
import update from '../../functions/stacks/update.ts'
import { call } from '../harness/call.ts'
import type { OwnStore } from '../harness/own-store.ts'
import { accountOf } from '../harness/sign-in.ts'

export const hosts = 5
export const containersPerHost = 20

/**
 * Returns a clock that the soak advances. Short sleeps return at once. Longer ones, such as between
 * renewals of a lease, are real.
 */
function movedClock() {
  let now = Math.floor(Date.now() / 3_600_000) * 3_600_000
  return {
    now: () => now,
    monotonic: () => now,
    async sleep(milliseconds: number, signal?: AbortSignal) {
      if (milliseconds >= 1000) await delay(milliseconds, undefined, { signal }).catch(() => {})
    },
    advance(milliseconds: number) {
      now += milliseconds
    },
  }
}

/**
 * Returns the service's endpoints and schedules on a real store: five hosts with a hundred
 * containers, and users.
 */
export async function simulatedService({ store }: OwnStore) {
  const clock = movedClock()
  const address = { endpoint: store.endpoint, region: store.region, table: 'soak' }
  const client = storeClient({ ...address, credentials: store.credentials })
  await ensureTable(client)
  const keys = { current: 'k', keys: { k: randomBytes(32) } }
  const { setup: _, ...stores } = storedPorts(dynamoStore(client), {
    clock,
    local: localHost,
    pinned: {},
    keys,
  })
  const [random, log] = [memoryRandom(clock as never), memoryLog()]
  const parts = { blocks: stores.auditBlocks, keys, anchor: memoryAnchor() }
  const audit = openAudit(parts, { clock, random, log })
  const ports = memoryPorts({ ...stores, clock, audit } as never) as Json
  const hash = await ports.passwords.hash('correct horse battery')
  await accountOf(ports, { username: 'ada', role: 'admin', passwordHash: hash })
  await ports.settings.save({ 'retention.deployments': 5, 'retention.days': 2 })
  let made = 0

  const signedIn = async () => {
    const body = { username: 'ada', password: 'correct horse battery' }
    return good(await call(login, { ports, body }))
  }
  const stack = async (name: string, token: string) => {
    const as = { token }
    const compose = `services: {web: {image: 'busybox:latest', command: 'sleep ${made}'}}\n`
    const body = { name, compose, env: `SECRET=${randomBytes(8).toString('hex')}\n` }
    good(await call(create, { ports, as, body }))
    good(await call(deploy, { ports, as, path: { name }, body: {} }))
  }
  const alert = async () => {
    const event = { ...alertEvent(ports.random.id()), at: clock.now() }
    await stores.alertEvents.add(event)
    await stores.alertDeliveries.add(event, ['ops'])
    for (const { id } of await stores.alertDeliveries.due(9)) {
      const claimed = await stores.alertDeliveries.claim(id, 1000)
      if (claimed) await stores.alertDeliveries.recordAttempt(claimed, { state: 'delivered' })
    }
  }
  return {
    clock,
    log,
    tables: [table(client), table(logsOf(client))] as const,
    /** Returns the number of audit rows of each action. */
    async auditActions() {
      const actions: Record<string, number> = {}
      for await (const { text } of stores.auditBlocks.after('')) {
        for (const [, action] of text.matchAll(/"action":"([^"]+)"/g)) {
          actions[present(action)] = (actions[present(action)] ?? 0) + 1
        }
      }
      return actions
    },
    close: () => client.close(),
    /** Adds one metrics sample of each host and its containers. */
    async sample() {
      const all = Array.from({ length: hosts }, (_, host) =>
        stores.metricHistory.add(`host-${host}`, sampleAt(clock.now(), host)),
      )
      await Promise.all(all)
    },
    /** A user signs in, renews the session once, opens two feeds and logs out. */
    async visit() {
      const first = good(await signedIn())
      const body = { refresh_token: first.json.refresh_token }
      const { json } = good(await call(refresh, { ports, body }))
      const as = { token: json.access_token }
      for (let feed = 0; feed < 2; feed += 1) good(await call(ticket, { ports, as }))
      await call(login, {
        ports,
        body: { username: `guest ${made++}`, password: 'wrong password' },
      })
      await audit.flush()
      return json.access_token as string
    },
    /**
     * Creates, deploys and removes a stack. Updates and deploys another one. Takes the lease of a
     * run. Fires an alert.
     */
    async work(token: string) {
      made += 1
      const as = { token }
      if (made === 1 || !(await stores.stacks.find('lasting'))) await stack('lasting', token)
      await stack(`stack-${made}`, token)
      good(await call(remove, { ports, as, path: { name: `stack-${made}` }, query: {} }))
      const { revision } = (await call(update, { ports, as, path: { name: 'lasting' }, body: {} }))
        .json
      const env = `SECRET=${randomBytes(8).toString('hex')}\n`
      await call(update, { ports, as, path: { name: 'lasting' }, body: { env, revision } })
      await call(deploy, { ports, as, path: { name: 'lasting' }, body: {} })
      const run = { ...deployment(ports.random.id(), 'lasting'), startedAt: clock.now() }
      await stores.deployments.create({ ...run, status: 'failed' })
      const lease = await stores.leases.acquire(`reading:${ports.random.id()}`, 'soak', 1000)
      if (lease) await stores.leases.release(lease)
      await alert()
    },
    sweep: () => sweep.with(ports)(),
  }
}

function good<T extends { status: number; text: string }>(answer: T): T {
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`)
  return answer
}

/** Returns a sample of a host and its containers, with different values each time. */
export function sampleAt(at: number, host: number): HostSample {
  const containers = Array.from({ length: containersPerHost }, (_, index) => ({
    id: sampledId(((host * 100 + index + 1) * 7919).toString(16).padStart(8, '7').repeat(8)),
    point: {
      cpuPercent: noise(400),
      memory: 5e7 + noise(1e7),
      memoryPercent: noise(50),
      networkRx: at + noise(1e6),
      networkTx: at + noise(1e6),
      pids: index,
      blockRead: noise(1e9),
      blockWrite: noise(1e9),
    },
  }))
  const figures = { cpuPercent: noise(100), memory: 8e9 + noise(1e9), memoryTotal: 16e9 }
  const disk = { disk: 4e11 + noise(1e9), diskTotal: 1e12 }
  const counts = { running: containersPerHost, total: containersPerHost }
  return { host: { at, up: true, ...counts, ...figures, ...disk }, containers }
}

const noise = (most: number) => Math.round(Math.random() * most * 100) / 100
