import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { engine, removeLabelled } from './engine.ts'
import { eventFeeds } from './event-feeds.ts'
import { execBench } from './exec.ts'
import { container, dockerLogs, feedLabel, follow, inputOf, upgradeText } from './feed-clients.ts'
import { feedLoad } from './feed-load.ts'
import { idleFeeds } from './idle-feeds.ts'
import { median, quantile, ratio, short, sized, table } from './numbers.ts'
import { residentMebibytes } from './process.ts'
import { buildService, dataDirectory, type Service, startService } from './service.ts'
import { stalledReaders } from './stalled-readers.ts'

const writes = sized(500, 20)
const floodLines = sized(300_000, 5000)
const floodLine = 'x'.repeat(99)
const abortedUpgrades = sized(100_000, 500)

/**
 * Compares log feeds with `docker logs --follow`, and measures idle, stalled and disconnected
 * clients.
 */
export async function feedsBench(): Promise<string> {
  buildService()
  const data = dataDirectory()
  const service = await startService(data.path)
  try {
    await service.signIn()
    const speed = [...(await latency(service)), await flood(service)]
    const load = await feedLoad(service)
    const exec = await execBench(service)
    const events = await eventFeeds(service)
    const aborted = await abort(service)
    const stalled = await stalledReaders()
    const idle = await idleFeeds()
    return [
      `Latency: ${writes} lines written to a container's input 10 ms apart. Flood: ${floodLines} lines of 100 bytes, from the first to the last. Both clients follow at the same time, except for the flood, where they take turns.`,
      table(['logs', 'docker logs -f', 'the feed', 'ratio'], speed),
      '200 followers of one container that prints about 1 000 lines a second, compared with 200 streams of the Engine itself:',
      load,
      'Commands: keys typed into `cat` on a terminal, and output of a command without one. `docker exec` and the client are started as programs; the feed is a connection of the benchmark. They take turns; medians.',
      exec,
      'Events of a container that is renamed 20 times a second:',
      events,
      'Memory of idle clients, after a garbage collection:',
      idle,
      'Memory of clients of a container that never stops writing. All values except the peak over 10 s are measured after a garbage collection:',
      stalled,
      'Resident memory of the service:',
      table(
        ['clients', 'before MiB', 'with them MiB', 'each kB', 'after they disconnect MiB'],
        [aborted],
      ),
    ].join('\n\n')
  } finally {
    await removeLabelled(feedLabel)
    await service.stop()
    data.remove()
  }
}

/**
 * Measures the milliseconds from a write to the container's input until a follower has the line.
 */
async function latency(service: Service): Promise<string[][]> {
  const id = await container('echo up; exec cat', { OpenStdin: true })
  const input = await inputOf(id)
  const [ofDocker, ofFeed]: number[][] = [[], []]
  const note = (times: number[] | undefined) => (text: string) => {
    const at = Number(/@(\d+\.\d+)/.exec(text)?.[1])
    if (at) times?.push(performance.now() - at)
  }
  const child = await dockerLogs(id, note(ofDocker))
  const feed = await follow(service, `/ws/logs/${id}`, note(ofFeed))
  await pause(500)
  for (let count = 0; count < writes; count += 1) {
    input.write(`@${performance.now().toFixed(3)}\n`)
    await pause(10)
  }
  await pause(500)
  child.kill()
  feed.terminate()
  input.destroy()
  const row = (name: string, part: number) => {
    const [one, other] = [quantile(ofDocker ?? [], part), quantile(ofFeed ?? [], part)]
    return [name, short(one), short(other), ratio(other, one)]
  }
  return [row('latency, median ms', 0.5), row('latency, p99 ms', 0.99)]
}

async function flood(service: Service): Promise<string[]> {
  const script = `sleep 1; yes ${floodLine} | head -n ${floodLines}; echo end; sleep 100`
  const size = (floodLines * (floodLine.length + 1)) / 1e6
  const speedOf = async (
    open: (id: string, seen: (text: string) => void) => Promise<() => void>,
  ) => {
    const id = await container(script)
    let first = 0
    let over = (_speed: number) => {}
    const speed = new Promise<number>((resolve) => {
      over = resolve
    })
    const close = await open(id, (text) => {
      first ||= performance.now()
      if (text.includes('end')) over(size / ((performance.now() - first) / 1000))
    })
    const found = await speed
    close()
    await engine('DELETE', `/containers/${id}?force=true`)
    return found
  }
  const rounds: number[][] = []
  for (let round = 0; round < 3; round += 1) {
    const docker = await speedOf(async (id, seen) => {
      const opened = dockerLogs(id, seen)
      return async () => void (await opened).kill()
    })
    const feed = await speedOf(async (id, seen) => {
      const socket = await follow(service, `/ws/logs/${id}?tail=10000`, seen)
      return () => socket.terminate()
    })
    rounds.push([docker, feed])
  }
  const [docker, feed] = [0, 1].map((at) => median(rounds.map((round) => round[at] ?? 0)))
  return ['flood, MB/s', short(docker ?? 0), short(feed ?? 0), ratio(feed ?? 0, docker ?? 1)]
}

/**
 * Returns the lowest resident memory within 10 s, in MiB. Garbage of the opening is collected in
 * that time.
 */
async function settled(service: Service): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let look = 0; look < 10; look += 1) {
    await pause(1000)
    least = Math.min(least, residentMebibytes(service.pid))
  }
  return least
}

async function abort(service: Service): Promise<string[]> {
  const id = await container('sleep 10000')
  const before = await settled(service)
  let most = 0
  let left = abortedUpgrades
  const one = (count: number) =>
    new Promise<void>((resolve) => {
      const socket = connect({ port: service.port, host: '127.0.0.1' })
      socket.on('error', () => {})
      socket.once('close', () => resolve())
      socket.once('connect', () => {
        const path = count % 2 ? `/ws/logs/${id}` : '/ws/logs/none?ticket=none'
        socket.write(upgradeText(path, service.token ?? ''))
        if (count % 4 < 2) socket.resetAndDestroy()
        else setTimeout(() => socket.resetAndDestroy(), count % 7)
      })
    })
  await Promise.all(
    Array.from({ length: 100 }, async () => {
      for (; left > 0; left -= 1) {
        await one(left)
        if (left % 500 === 0) most = Math.max(most, residentMebibytes(service.pid))
      }
    }),
  )
  const after = await settled(service)
  await service.call('GET', '/me')
  return memoryRow(`${abortedUpgrades} aborted upgrades`, abortedUpgrades, before, most, after)
}

const memoryRow = (name: string, count: number, before: number, during: number, after: number) => [
  name,
  short(before),
  short(during),
  short(((during - before) * 1024) / count),
  short(after),
]
