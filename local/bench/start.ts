import { setTimeout as pause } from 'node:timers/promises'
import { type LocalStore, start as startStore } from '../store/dynamodb-local.ts'
import { median, short, table } from './numbers.ts'
import { descendants, residentMebibytes } from './process.ts'
import { answers, buildService, dataDirectory, startService } from './service.ts'

const rounds = 5
/** Seconds without a request before memory is read. */
const idle = 5

interface Sample {
  /** Milliseconds from the start of the process. */
  health: number
  me: number
  /** MiB. */
  service: number
  withStore: number
}

/** Time to the first answers and resident memory, with a store that runs already and with one that is started too. */
export async function startBench(): Promise<string> {
  buildService()
  const storeData = dataDirectory()
  const store = await startStore(storeData.path)
  const variants = {
    'a store that runs already': { data: dataDirectory(), env: endpointOf(store) },
    'its own DynamoDB Local': { data: dataDirectory(), env: {} },
  }
  try {
    const rows: Record<string, Sample[]> = {}
    for (let round = 0; round <= rounds; round++) {
      for (const [name, { data, env }] of Object.entries(variants)) {
        rows[name] ??= []
        const sample = await sampleOf(data.path, env)
        if (round > 0) rows[name].push(sample)
      }
    }
    return render(rows)
  } finally {
    await store.stop()
    for (const { data } of Object.values(variants)) data.remove()
    storeData.remove()
  }
}

const endpointOf = ({ endpoint, region, credentials }: LocalStore) => ({
  SERVICE_DYNAMODB_ENDPOINT: endpoint,
  SERVICE_DYNAMODB_REGION: region,
  AWS_ACCESS_KEY_ID: credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
})

const tokens = new Map<string, string>()

/** The token of the last start is good for this one: the first request that reads the store can come at once. */
async function sampleOf(data: string, env: Record<string, string>): Promise<Sample> {
  const begin = performance.now()
  const service = await startService(data, env)
  try {
    const token = tokens.get(data)
    const url = `http://127.0.0.1:${service.port}/api/v1/me`
    if (token) await answers(url, { Authorization: `Bearer ${token}` })
    const me = performance.now() - begin
    await service.signIn()
    tokens.set(data, service.token ?? '')
    await pause(idle * 1000)
    const own = residentMebibytes(service.pid)
    const others = descendants(service.pid).map(residentMebibytes)
    const withStore = others.reduce((sum, one) => sum + one, own)
    return { health: service.readyAfter, me, service: own, withStore }
  } finally {
    await service.stop()
  }
}

function render(rows: Record<string, Sample[]>): string {
  const keys = ['health', 'me', 'service', 'withStore'] as const
  const head = [
    'started with',
    'first 200 ms',
    'first 200 of `GET /me` ms',
    'service MiB',
    'with its store MiB',
  ]
  const cells = Object.entries(rows).map(([name, samples]) => [
    name,
    ...keys.map((key) => short(median(samples.map((sample) => sample[key])))),
  ])
  const how = `The built service on a data directory that was used before, ${rounds} starts each, medians. Memory is resident, ${idle} s after the last request.`
  return `${how}\n\n${table(head, cells)}`
}
