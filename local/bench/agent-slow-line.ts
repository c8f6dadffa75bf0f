import { type Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { hostAgent } from '../../adapters/sidecar/agents/host-agent.ts'
import { makeNamespace } from '../harness/netns.ts'
import { connectAgent } from './agent-transport.ts'
import { removeLabelled } from './engine.ts'
import { container, feedLabel } from './feed-clients.ts'
import { median, short, sized, table, timed } from './numbers.ts'
import { dataDirectory } from './service.ts'

const fastTime = sized(5_000, 500)
const slowTime = sized(60_000, 3_000)
/** The lines before the drop, and their kilobits per second. */
const lines = sized<[string, number | undefined][]>(
  [
    ['no limit', undefined],
    ['1 Gbit/s', 1_000_000],
    ['100 Mbit/s', 100_000],
  ],
  [['no limit', undefined]],
)

/** Measures requests beside a bulk transfer from a host whose line drops to 1 Mbit/s. */
export async function agentSlowLine(): Promise<string> {
  const rows: string[][] = []
  try {
    for (const [name, kilobits] of lines) {
      const found = await measure(kilobits)
      rows.push([name, ...found.map(short)])
    }
  } finally {
    await removeLabelled(feedLabel)
  }
  return [
    'A bulk transfer from a host whose line drops to 1 Mbit/s, both directions, and sequential requests beside it. The first one begins with the drop.',
    table(
      [
        'line before the drop',
        'bulk, MB/s',
        'first request, s',
        'next, s',
        'median of the others, s',
      ],
      rows,
    ),
  ].join('\n\n')
}

async function measure(kilobits: number | undefined): Promise<number[]> {
  const { path, remove } = dataDirectory()
  const network = makeNamespace()
  if (kilobits !== undefined) network.rate(kilobits)
  const made = await connectAgent(path, network)
  const agent = hostAgent(() => made.connection().open())
  try {
    const id = await container('truncate -s 100G /big; sleep 600')
    await pause(1_000)
    const bulk = await startBulk(agent, id)
    await pause(fastTime)
    const before = bulk.bytes()
    await pause(1_000)
    const rate = (bulk.bytes() - before) / 1e6
    network.rate(1_000)
    const waits = await pingFor(agent, slowTime)
    const [first = Number.NaN, next = Number.NaN, ...others] = waits.map((one) => one / 1000)
    bulk.stop()
    return [rate, first, next, median(others)]
  } finally {
    agent.destroy()
    await made.close()
    network.remove()
    remove()
  }
}

/** Reads a large file of a container until it is stopped. */
export async function startBulk(agent: Agent, id: string) {
  const path = `/containers/${id}/archive?path=/big`
  const call = request({ agent, path, host: 'engine' })
  call.on('error', () => {})
  call.end()
  let bytes = 0
  const response = await new Promise<IncomingMessage>((resolve) => call.once('response', resolve))
  response.on('error', () => {})
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  return { bytes: () => bytes, stop: () => call.destroy() }
}

/** Returns the milliseconds of sequential requests. */
async function pingFor(agent: Agent, milliseconds: number): Promise<number[]> {
  const waits: number[] = []
  const end = performance.now() + milliseconds
  do {
    waits.push(await timed(() => untilAnswered(agent)))
    await pause(200)
  } while (performance.now() < end || waits.length < 3)
  return waits
}

/** A request for which no stream can be opened in time fails, and is repeated. */
async function untilAnswered(agent: Agent): Promise<void> {
  while (!(await ping(agent).then(Boolean, () => false))) await pause(100)
}

function ping(agent: Agent): Promise<true> {
  return new Promise((resolve, reject) => {
    const call = request({ agent, path: '/_ping', host: 'engine' }, (response) => {
      response.resume()
      response.once('end', () => resolve(true))
      response.once('error', reject)
    })
    call.once('error', reject)
    call.end()
  })
}
