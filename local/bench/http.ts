import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../adapters/node/store-supervisor/free-port.ts'
import { present } from '../../adapters/testing/present.ts'
import { engine, forEachConcurrently, removeLabelled } from './engine.ts'
import { type LoadResult, load } from './load.ts'
import { median, ratio, short, table } from './numbers.ts'
import { cpuSeconds, type Program, startNode } from './process.ts'
import { answers, buildService, dataDirectory, type Service, startService } from './service.ts'

const rounds = 5
const seconds = 3
const connections = 16
const containers = 200
/**
 * Busy time per request of the spinning bare server, in microseconds. Shows what slower handling
 * alone costs.
 */
const spin = 30
const label = `container-stacks.bench=${process.pid}`

const paths = { 'GET /me': '/me', 'list of 200 containers': '/containers?all=true' }

interface Sample extends LoadResult {
  /** Microseconds of processor time per request: under load, and with one request at a time. */
  cpu: number
  cpuAlone: number
}

/**
 * Compares the service with a bare server that returns the same objects: requests per second, p99
 * and processor time.
 */
export async function httpBench(): Promise<string> {
  buildService()
  const data = dataDirectory()
  let service: Service | undefined
  const bare: Server[] = []
  try {
    await makeContainers()
    service = await startService(data.path)
    await service.signIn()
    for (const spins of [0, spin]) bare.push(await startBare(service, data.path, spins))
    return render(await measure(service, present(bare[0]), present(bare[1])))
  } finally {
    for (const server of bare) await server.stop()
    await service?.stop()
    await removeLabelled(label)
    data.remove()
  }
}

/** Creates real containers that are never started. An Engine lists them like any other. */
const makeContainers = () =>
  forEachConcurrently(
    Array.from({ length: containers }, (_, index) => index),
    (index) =>
      engine('POST', `/containers/create?name=bench-${process.pid}-${index}`, {
        Image: 'busybox:latest',
        Cmd: ['sleep', '3600'],
        Labels: {
          [label.split('=')[0] ?? '']: String(process.pid),
          'com.example.team': 'storefront',
        },
      }),
  )

type Server = Program & { port: number }

async function startBare(service: Service, directory: string, spins: number): Promise<Server> {
  const objects: Record<string, unknown> = {}
  for (const path of Object.values(paths)) {
    objects[`/api/v1${path}`] = await service.call('GET', path)
  }
  const file = join(directory, 'objects.json')
  writeFileSync(file, JSON.stringify(objects))
  const port = await freePort()
  const script = fileURLToPath(new URL('bare-server.mjs', import.meta.url))
  const log = join(directory, 'bare.log')
  const program = startNode([script, file, String(port), String(spins)], {}, log)
  await answers(`http://127.0.0.1:${port}/api/v1/me`)
  return { ...program, port }
}

const sides = ['bare', 'spinning', 'service'] as const
type Samples = Record<string, Record<(typeof sides)[number], Sample[]>>

/**
 * Measures all sides in alternating rounds so that a slow moment of the machine affects each of
 * them. The first round is warm-up.
 */
async function measure(service: Service, bare: Server, spinning: Server): Promise<Samples> {
  const samples: Samples = {}
  const headers = { Authorization: `Bearer ${service.token}` }
  for (let round = 0; round <= rounds; round++) {
    for (const [name, path] of Object.entries(paths)) {
      samples[name] ??= { bare: [], spinning: [], service: [] }
      for (const side of sides) {
        const program = { bare, spinning, service }[side]
        const sample = await sampleOf(program, `/api/v1${path}`, headers)
        if (round > 0) samples[name][side].push(sample)
      }
    }
  }
  return samples
}

async function sampleOf(
  program: Server,
  path: string,
  headers: Record<string, string>,
): Promise<Sample> {
  const asked = { port: program.port, path, headers, connections, seconds }
  const result = await cpuOf(program, () => load(asked))
  const alone = await cpuOf(program, () => load({ ...asked, connections: 1 }))
  return { ...result, cpuAlone: alone.cpu }
}

async function cpuOf({ pid }: Program, work: () => Promise<LoadResult>) {
  const before = cpuSeconds(pid)
  const result = await work()
  return { ...result, cpu: ((cpuSeconds(pid) - before) * 1e6) / result.requests }
}

function render(samples: Samples): string {
  const head = [
    ...['', 'requests/s', 'p50 ms', 'p99 ms', 'CPU µs/request', 'CPU ratio'],
    ...['CPU µs/request, one at a time', 'CPU ratio, one at a time'],
  ]
  const rows = Object.entries(samples).flatMap(([name, taken]) =>
    sides.map((side) => [`${name}, ${called[side]}`, ...cellsOf(taken[side], taken.bare)]),
  )
  const how = [
    `${rounds} interleaved rounds of ${seconds} s each with ${connections} keep-alive connections; medians. Each request writes one log line to a file.`,
    'A second run sends one request at a time over one connection, so that every server does the same work in the kernel. With sixteen connections, the bare server keeps its client awake and takes several requests in one turn;',
    `a slower server wakes a sleeping client with each response. The processor time that the bare server with a busy loop of ${spin} µs needs beyond the loop is this cost.`,
  ].join(' ')
  return `${how}\n\n${table(head, rows)}`
}

const called: Record<(typeof sides)[number], string> = {
  bare: 'bare node:http',
  spinning: `bare, with a busy loop of ${spin} µs`,
  service: 'the service',
}

function cellsOf(list: Sample[], bare: Sample[]): string[] {
  const middle = (key: keyof Sample) => short(median(list.map((sample) => sample[key])))
  const toBare = (key: 'cpu' | 'cpuAlone') =>
    ratio(median(list.map((sample, round) => sample[key] / (bare[round]?.[key] ?? 1))), 1)
  return [
    ...(['perSecond', 'p50', 'p99', 'cpu'] as const).map(middle),
    ...[toBare('cpu'), middle('cpuAlone'), toBare('cpuAlone')],
  ]
}
