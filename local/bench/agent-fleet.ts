import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { enrol } from '../../adapters/agent/enrol.ts'
import { freePort } from '../../adapters/node/store-supervisor/free-port.ts'
import { collected, collecting } from './collected.ts'
import { forEachConcurrently } from './engine.ts'
import { median, short, sized, table, timed } from './numbers.ts'
import { cpuSeconds, type Program, startNode } from './process.ts'
import { dataDirectory, type Service, startService } from './service.ts'

const counts = sized([1, 10, 100], [1, 3, 5])
/** One less than the maximum number of hosts, because the local host counts too. */
const fleet = sized(499, 10)
const rounds = sized(9, 2)
const program = fileURLToPath(new URL('./fleet-program.ts', import.meta.url))

/** Measures many agents, all in one process separate from the service. */
export async function agentFleet(): Promise<string> {
  const { path, remove } = dataDirectory()
  const memory = join(path, 'memory.json')
  const env = { ...(await agentAddress()), ...collecting(memory) }
  let service = await startService(path, env)
  const running: Program[] = []
  try {
    await service.signIn()
    await service.warm()
    const directories: string[] = []
    const rows: string[][] = []
    for (const count of counts) {
      await enrolMore(service, directories, count, path)
      for (const part of [0, 0.2]) {
        rows.push(await fanOut(service, directories, part, path))
      }
    }
    const before = await collected(service.pid, memory)
    await enrolMore(service, directories, fleet, path)
    const agents = startFleet(directories, 0, path)
    running.push(agents)
    await online(path, fleet)
    const during = await collected(service.pid, memory)
    await service.stop()
    const back = await comeBack(() => startService(path, env), agents, path)
    service = back.service
    const each = (one: number, other: number) => short(((other - one) * 1024) / fleet)
    return [
      '`GET /containers?host=all`, with all agents in one process and on the Engine of this machine. Half of the dead hosts have a connected agent whose Engine never responds; the other half have lost their agent.',
      table(['hosts with agents', 'dead', 'median ms', 'longest ms', 'unreachable'], rows),
      `${fleet} agents while the service is stopped and started again. The time includes the back-off of the agents, which grows with each failure.`,
      table(
        [
          'all online after s',
          'service CPU s',
          'refused connections',
          'service, each agent kB',
          'heap, each agent kB',
        ],
        [
          [
            short(back.seconds),
            short(back.cpu),
            String(back.refused),
            each(before.resident, during.resident),
            each(before.heap, during.heap),
          ],
        ],
      ),
    ].join('\n\n')
  } finally {
    for (const one of running) await one.stop()
    await service.stop()
    remove()
  }
}

async function agentAddress() {
  const port = await freePort()
  return { SERVICE_AGENT_PORT: String(port), SERVICE_AGENT_ENDPOINT: `127.0.0.1:${port}` }
}

/** Enrols hosts until there are `wanted` of them. */
async function enrolMore(
  service: Service,
  directories: string[],
  wanted: number,
  path: string,
): Promise<void> {
  const missing = Array.from({ length: wanted - directories.length }, (_, index) =>
    String(directories.length + index).padStart(3, '0'),
  )
  await forEachConcurrently(missing, async (number) => {
    const { enrolment } = await service.call('POST', '/hosts', { name: `agent-${number}` })
    const directory = join(path, `agent-${number}`)
    const server = `http://127.0.0.1:${service.port}`
    await enrol({ server, token: enrolment.token, directory, version: '0.0.0' })
    directories.push(directory)
  })
}

/**
 * Starts the agents of these hosts except the dead ones. Every other dead host stays connected, but
 * its Engine never answers.
 */
function startFleet(directories: string[], dead: number, path: string): Program {
  const gone = Math.round(directories.length * dead)
  const agents = directories.flatMap((directory, index) => {
    if (index >= gone) return { directory, isMute: false }
    return index % 2 === 0 ? { directory, isMute: true } : []
  })
  const file = join(path, 'fleet.json')
  writeFileSync(file, JSON.stringify(agents))
  return startNode(['--import', 'tsx', program], { FLEET: file }, join(path, 'fleet.log'))
}

async function fanOut(
  service: Service,
  directories: string[],
  dead: number,
  path: string,
): Promise<string[]> {
  const gone = Math.round(directories.length * dead)
  const agents = startFleet(directories, dead, path)
  try {
    await online(path, directories.length - Math.floor(gone / 2))
    const times: number[] = []
    let unreachable = 0
    for (let round = 0; round < rounds; round += 1) {
      const taken = await timed(async () => {
        const { unreachable_hosts } = await service.call('GET', '/containers?host=all')
        unreachable = unreachable_hosts.length
      })
      times.push(taken)
    }
    if (unreachable !== gone) throw new Error(`${unreachable} of ${gone} dead hosts were reported`)
    const row = [short(median(times)), short(Math.max(...times)), String(unreachable)]
    return [String(directories.length), `${dead * 100} %`, ...row]
  } finally {
    await agents.stop()
    await online(path, 0)
  }
}

/**
 * Waits until exactly `wanted` agents are connected. Reads the service's log, because asking the
 * service would add load.
 */
async function online(path: string, wanted: number, begin = 0): Promise<void> {
  for (const end = Date.now() + 300_000; ; await pause(100)) {
    const text = readFileSync(serviceLog(path), 'utf8').slice(begin)
    const count = (message: string) => text.split(`"message":"${message}"`).length - 1
    const found = count('an agent connected') - count('an agent’s connection ended')
    if (found === wanted) return
    if (Date.now() > end) throw new Error(`${found} agents are connected, not ${wanted}`)
  }
}

const serviceLog = (path: string) => join(path, 'service.log')

async function comeBack(start: () => Promise<Service>, agents: Program, path: string) {
  // Long enough for all agents to notice the loss and to fail one or two attempts to reconnect.
  await pause(3000)
  const log = join(path, 'fleet.log')
  const refusals = () => readFileSync(log, 'utf8').split('cannot connect').length - 1
  const past = readFileSync(serviceLog(path), 'utf8').length
  const begin = performance.now()
  const service = await Promise.race([start(), agents.failed])
  await service.signIn()
  const refused = refusals()
  await online(path, fleet, past)
  return {
    service,
    seconds: (performance.now() - begin) / 1000,
    cpu: cpuSeconds(service.pid),
    refused: refusals() - refused,
  }
}
