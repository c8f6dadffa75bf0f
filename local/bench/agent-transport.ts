import { Agent, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { writeCredentials } from '../../adapters/agent/credentials.ts'
import { makeRequest } from '../../adapters/agent/csr.ts'
import { fileAuthority } from '../../adapters/node/keys/authority.ts'
import { systemClock } from '../../adapters/node/process/clock.ts'
import { hostAgent } from '../../adapters/sidecar/agents/host-agent.ts'
import { serveAgents } from '../../adapters/sidecar/agents/serve.ts'
import { agentHost } from '../../adapters/testing/memory/hosts.ts'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { present } from '../../adapters/testing/present.ts'
import { enrolAgent, offerEnrolment } from '../../functions/core/hosts/enrol.ts'
import type { Namespace } from '../harness/netns.ts'
import { removeLabelled, socketPath } from './engine.ts'
import { container, feedLabel } from './feed-clients.ts'
import { median, quantile, ratio, short, sized, table, timed } from './numbers.ts'
import { residentMebibytes, startNode } from './process.ts'
import { dataDirectory } from './service.ts'

const pings = sized(5000, 100)
const lines = sized(300_000, 5000)
const archiveMebibytes = sized(200, 4)
const program = fileURLToPath(new URL('../../dist/agent.js', import.meta.url))

type Way = { agent: Agent; socketPath?: string }

/** Compares this machine's Engine over its socket and through an agent in a process of its own. */
export async function agentTransport(): Promise<string> {
  const { path, remove } = dataDirectory()
  const made = await connectAgent(path)
  const own: Way = { agent: new Agent({ keepAlive: true }), socketPath }
  const far: Way = { agent: hostAgent(() => made.connection().open()) }
  try {
    await pause(sized(10_000, 500))
    const idle = residentMebibytes(made.pid)
    const [ownTimes, farTimes] = await pingTimes(own, far)
    const log = await container(
      `i=0; while [ $i -lt ${lines / 100} ]; do head -c 10000 /dev/zero | tr "\\0" "x" | fold -w 99; i=$((i+1)); done; echo end`,
    )
    await engineDone(own, log)
    const files = await container(`dd if=/dev/zero of=/big bs=1M count=${archiveMebibytes}`)
    await engineDone(own, files)
    const logs = await speeds(own, far, `/containers/${log}/logs?stdout=1`)
    const archives = await speeds(own, far, `/containers/${files}/archive?path=/big`)
    const after = residentMebibytes(made.pid)
    const row = (name: string, one: number, other: number) => [
      ...[name, short(one), short(other), ratio(other, one)],
    ]
    return [
      `The Engine of this machine over its socket, and through an agent in a separate process: ${pings} sequential pings, the log of a container with ${lines} lines of 100 bytes, a file of ${archiveMebibytes} MiB as an archive. They take turns; medians.`,
      table(
        ['', 'the socket', 'through the agent', 'ratio'],
        [
          row('ping, median µs', median(ownTimes) * 1000, median(farTimes) * 1000),
          row('ping, p99 µs', quantile(ownTimes, 0.99) * 1000, quantile(farTimes, 0.99) * 1000),
          row('log, MB/s', ...logs),
          row('archive, MB/s', ...archives),
        ],
      ),
      `The agent uses ${short(idle)} MiB when idle and ${short(after)} MiB afterwards.`,
    ].join('\n\n')
  } finally {
    await removeLabelled(feedLabel)
    far.agent.destroy()
    own.agent.destroy()
    await made.close()
    remove()
  }
}

/**
 * Starts a listener for agents in this process and connects the agent program of one enrolled host,
 * which runs in a network namespace if there is one. The agent dials the port that `dialled`
 * returns for that of the listener.
 */
export async function connectAgent(
  directory: string,
  network?: Pick<Namespace, 'outside' | 'prefix'>,
  dialled: (port: number) => number | Promise<number> = (port) => port,
) {
  const host = network?.outside ?? '127.0.0.1'
  const authority = fileAuthority(directory, systemClock)
  const ports = memoryPorts({ clock: systemClock, authority })
  const service = await serveAgents(
    {
      processId: 'bench',
      port: 0,
      host,
      internal: { port: 0, host: '127.0.0.1', secret: 'a benchmark secret' },
      serverIdentity: () => authority.serverIdentity(),
    },
    ports,
  )
  const pending = { state: 'pending', serial: null, nextSerial: null } as const
  const agent = { ...pending, certificateExpiresAt: null }
  await ports.hosts.create({ ...agentHost('bench'), agent })
  const { token } = await offerEnrolment('bench', ports)
  const { key, request: csr } = await makeRequest()
  const { certificate } = await enrolAgent(token, csr, ports)
  const ca = await authority.certificate()
  const endpoint = `${host}:${await dialled(service.port)}`
  const place = join(directory, 'agent')
  await writeCredentials(place, { hostId: 'bench', endpoint, ca, certificate, key })
  const running = startNode(
    [program, 'run', '--data', place],
    {},
    join(directory, 'agent.log'),
    network?.prefix,
  )
  while (!service.hub.find('bench')) await Promise.race([pause(20), running.failed])
  return {
    pid: running.pid,
    connection: () => present(service.hub.find('bench')),
    async close() {
      await running.stop()
      await service.close()
    },
  }
}

async function pingTimes(...ways: [Way, Way]): Promise<[number[], number[]]> {
  const times: [number[], number[]] = [[], []]
  const ping = async (way: Way) => void (await bytesOf(way, '/_ping'))
  for (const way of ways) for (let count = 0; count < 200; count += 1) await ping(way)
  for (let count = 0; count < pings; count += 1) {
    for (const [at, way] of ways.entries()) times[at as 0 | 1].push(await timed(() => ping(way)))
  }
  return times
}

/** Returns the megabytes per second of both ways: medians of three alternating rounds. */
async function speeds(own: Way, far: Way, path: string): Promise<[number, number]> {
  const found: [number[], number[]] = [[], []]
  for (let round = 0; round < 3; round += 1) {
    for (const [at, way] of [own, far].entries()) {
      let bytes = 0
      const taken = await timed(async () => {
        bytes = await bytesOf(way, path)
      })
      found[at as 0 | 1].push(bytes / 1e6 / (taken / 1000))
    }
  }
  return [median(found[0]), median(found[1])]
}

const engineDone = (way: Way, id: string) => bytesOf(way, `/containers/${id}/wait`, 'POST')

function bytesOf(way: Way, path: string, method = 'GET'): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request({ ...way, method, path, host: 'engine' }, (response: IncomingMessage) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      response.on('error', reject)
      response.on('end', () => {
        if (response.statusCode === 200) resolve(bytes)
        else reject(new Error(`${path}: ${response.statusCode}`))
      })
    })
    call.on('error', reject)
    call.end()
  })
}
