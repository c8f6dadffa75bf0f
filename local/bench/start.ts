import { setTimeout as pause } from 'node:timers/promises'
import {
  type LocalStore,
  start as startStore,
} from '../../adapters/node/store-supervisor/dynamodb-local.ts'
import { median, short, table } from './numbers.ts'
import { descendants, residentMebibytes } from './process.ts'
import { answers, buildService, dataDirectory, startService } from './service.ts'

const rounds = 5
/** Memory varies less than time, so fewer rounds do. */
const memoryRounds = 3
/** Seconds without a request before memory is read. */
const idle = 5

interface Variant {
  data: ReturnType<typeof dataDirectory>
  env: Record<string, string>
}

/**
 * Measures the time to the first responses and resident memory, with a running store and with a
 * store that the service starts.
 */
export async function startBench(): Promise<string> {
  buildService()
  const storeData = dataDirectory()
  const store = await startStore(storeData.path)
  const variants: Record<string, Variant> = {
    'a running store': { data: dataDirectory(), env: endpointOf(store) },
    'its own DynamoDB Local': { data: dataDirectory(), env: {} },
  }
  const names = Object.keys(variants)
  const all = Object.values(variants)
  try {
    const times: Time[][] = all.map(() => [])
    for (let round = 0; round <= rounds; round++) {
      for (const [index, variant] of all.entries()) {
        const time = await timeOf(variant)
        if (round > 0) times[index]?.push(time)
      }
    }
    const memory: Memory[][] = all.map(() => [])
    for (let round = 0; round < memoryRounds; round++) {
      const measured = await Promise.all(all.map(memoryOf))
      for (const [index, one] of measured.entries()) memory[index]?.push(one)
    }
    return render(
      names.map((name, index) => cellsOf(name, times[index] ?? [], memory[index] ?? [])),
    )
  } finally {
    await store.stop()
    for (const { data } of all) data.remove()
    storeData.remove()
  }
}

const endpointOf = ({ endpoint, region, credentials }: LocalStore) => ({
  SERVICE_DYNAMODB_ENDPOINT: endpoint,
  SERVICE_DYNAMODB_REGION: region,
  AWS_ACCESS_KEY_ID: credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
})

/** Milliseconds since the start of the process. */
interface Time {
  health: number
  me: number
}

/** In MiB. */
interface Memory {
  service: number
  withStore: number
}

const tokens = new Map<string, string>()

/**
 * Uses the token of the previous start, so that the first request that reads the store can be sent
 * at once.
 */
async function timeOf({ data, env }: Variant): Promise<Time> {
  const begin = performance.now()
  const service = await startService(data.path, env)
  try {
    const token = tokens.get(data.path)
    const url = `http://127.0.0.1:${service.port}/api/v1/me`
    if (token) await answers(url, { Authorization: `Bearer ${token}` })
    const me = performance.now() - begin
    await service.signIn()
    tokens.set(data.path, service.token ?? '')
    return { health: service.readyAfter, me }
  } finally {
    await service.stop()
  }
}

async function memoryOf({ data, env }: Variant): Promise<Memory> {
  const service = await startService(data.path, env)
  try {
    await service.signIn()
    await service.call('GET', '/me')
    await pause(idle * 1000)
    const own = residentMebibytes(service.pid)
    const others = descendants(service.pid).map(residentMebibytes)
    return { service: own, withStore: others.reduce((sum, one) => sum + one, own) }
  } finally {
    await service.stop()
  }
}

function cellsOf(name: string, times: Time[], memory: Memory[]): string[] {
  const values = [
    times.map(({ health }) => health),
    times.map(({ me }) => me),
    memory.map(({ service }) => service),
    memory.map(({ withStore }) => withStore),
  ]
  return [name, ...values.map((each) => short(median(each)))]
}

function render(cells: string[][]): string {
  const head = [
    'started with',
    'first 200 ms',
    'first 200 of `GET /me` ms',
    'service MiB',
    'with its store MiB',
  ]
  const how = `The built service on an existing data directory; ${rounds} starts each after one warm-up; medians. Memory is resident memory ${idle} s after the last request, measured ${memoryRounds} times.`
  return `${how}\n\n${table(head, cells)}`
}
