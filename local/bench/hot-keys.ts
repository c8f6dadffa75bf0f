import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { start as startStore } from '../../adapters/node/store-supervisor/dynamodb-local.ts'
import { type CountingStore, startCountingStore } from './counting-store.ts'
import { short, sized, table } from './numbers.ts'
import { buildService, dataDirectory, type Service, startService } from './service.ts'

/** Processes that start at the same time. */
const startsAtOnce = 4
/** Seconds after the last start in which nothing is counted. */
const settling = sized(20, 2)
/** Seconds in which writes are counted. */
const seconds = sized(30, 3)
/** Clients that each send one request at a time. */
const clients = 16
const outsideKey = randomBytes(32).toString('base64')

/**
 * Measures how often processes that share a store write to each of its partitions: without
 * requests, and while clients of all processes make changes. The keys are files that they share, or
 * in the store, where the end of the audit log is then one of them.
 */
export async function hotKeysBench(): Promise<string> {
  buildService()
  const rows: string[][] = []
  for (const keys of ['files', 'store']) {
    for (const count of sized([1, 10, 30], [1, 2])) rows.push(...(await measured(keys, count)))
  }
  return table(
    [
      'keys',
      'processes',
      'load',
      'requests/s',
      'writes/s',
      'most written partitions, with writes/s',
    ],
    rows,
  )
}

async function measured(keys: string, count: number): Promise<string[][]> {
  const data = dataDirectory()
  const store = await startStore(data.path)
  const counter = await startCountingStore(store.endpoint)
  const env = {
    SERVICE_DYNAMODB_ENDPOINT: counter.endpoint,
    SERVICE_DYNAMODB_REGION: store.region,
    AWS_ACCESS_KEY_ID: store.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: store.credentials.secretAccessKey,
    SERVICE_KEYS: keys,
    SERVICE_SECRET_KEY: outsideKey,
  }
  const first = await startService(data.path, env)
  const services = [first]
  try {
    await first.signIn()
    while (services.length < count) {
      const few = Math.min(startsAtOnce, count - services.length)
      const started = Array.from({ length: few }, () => startService(data.path, env))
      services.push(...(await Promise.all(started)))
    }
    for (const service of services) service.token = first.token
    await pause(settling * 1000)
    counter.take()
    await pause(seconds * 1000)
    const idle = rowOf(keys, count, 'none', 0, counter)
    const requests = await changes(services)
    return [idle, rowOf(keys, count, 'changes', requests, counter)]
  } finally {
    await Promise.all(services.map((service) => service.stop()))
    counter.close()
    await store.stop()
    data.remove()
  }
}

/** Creates and revokes API tokens at all processes. Returns the number of requests. */
async function changes(services: readonly Service[]): Promise<number> {
  let requests = 0
  const end = performance.now() + seconds * 1000
  const change = async (client: number) => {
    for (let round = client; performance.now() < end; round += clients) {
      const service = services[round % services.length] as Service
      const { id } = await service.call('POST', '/api-tokens', { name: `bench ${round}` })
      await service.call('DELETE', `/api-tokens/${id}`)
      requests += 2
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => change(client)))
  return requests
}

/** Returns the rates since the counter was last read. */
function rowOf(
  keys: string,
  count: number,
  load: string,
  requests: number,
  counter: CountingStore,
): string[] {
  const writes = [...counter.take()].sort(([, one], [, other]) => other - one)
  const total = writes.reduce((sum, [, number]) => sum + number, 0)
  const most = writes.slice(0, 3).map(([name, number]) => `\`${name}\` ${short(number / seconds)}`)
  return [
    keys,
    String(count),
    load,
    requests === 0 ? '–' : short(requests / seconds),
    short(total / seconds),
    most.join(', '),
  ]
}
