import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Json } from '../../adapters/testing/json.ts'
import { collected, collecting } from './collected.ts'
import { forEachConcurrently } from './engine.ts'
import { median, short, sized, table } from './numbers.ts'
import { cpuSeconds, descendants, endedSeconds, residentMebibytes } from './process.ts'
import { dataDirectory, type Service, startService } from './service.ts'
import {
  bindStack,
  type Forge,
  type GitRequest,
  makeSource,
  mayAskForge,
  startForge,
} from './source-forge.ts'

const count = sized(200, 5)
/** Seconds from one look to the next: the shortest that can be set. */
const lookEvery = 60
/** Seconds that are measured while no look is due, and while each source is asked every minute. */
const [atRest, asked] = [sized(60, 5), sized(300, 75)]
/** Seconds without a request before each measurement. */
const settling = sized(15, 1)
/** Milliseconds until all sources were asked, or all stacks synced. */
const longest = 600_000
const compose = 'services: {web: {image: "busybox:latest", command: sleep 3600}}\n'

const numbers = Array.from({ length: count }, (_, at) => at)
const nameOf = (at: number) => `idle-${at}`

/** A service that is measured, and what starts with it. */
interface Measured {
  service: Service
  forge: Forge
  /** Where it writes its memory: see `collecting`. */
  memory: string
  /** Its store and other programs that run as long as it does. */
  companions: number[]
}

/**
 * Measures what sources cost at rest: 200 sources of a repository each, and one source that 200
 * stacks follow. Nothing is pushed, and nothing is deployed.
 */
export async function idleSources(): Promise<string> {
  const many = await measuring(manySources)
  const shared = await measuring(sharedSource)
  const how = `Processor time of one core, and memory, of a service at rest. No source is asked for ${atRest} s; then each is asked every ${lookEvery} s, the shortest time, for ${asked} s. A look lists the branches and tags, with two requests to git’s own server over https. It finds nothing new. For each look, git is started; its column has the time of all its processes. Memory is the median of the seconds, and what a garbage collection leaves. The aims for ${count} sources: 1 % of a core, 20 MiB, 61 looks an hour at each.`
  const head = [
    '',
    'service CPU %',
    'git CPU %',
    'store and others CPU %',
    'MiB',
    'collected MiB',
    'looks an hour at each',
    'shortest time between two, s',
  ]
  return `${how}\n\n${table(head, [...many, ...shared])}`
}

/** Runs work with a service of its own. */
async function measuring(work: (measured: Measured) => Promise<string[][]>): Promise<string[][]> {
  const data = dataDirectory()
  const memory = join(data.path, 'memory.json')
  let forge: Forge | undefined
  let service: Service | undefined
  try {
    forge = await startForge()
    service = await startService(data.path, { ...mayAskForge, ...collecting(memory) })
    await service.signIn()
    await service.warm()
    const companions = descendants(service.pid)
    return await work({ service, forge, memory, companions })
  } finally {
    await service?.stop()
    forge?.close()
    data.remove()
  }
}

async function manySources(measured: Measured): Promise<string[][]> {
  const { service, forge } = measured
  const first = forge.make(nameOf(0))
  first.commit({ 'compose.yaml': compose })
  for (const name of numbers.slice(1).map(nameOf)) {
    mkdirSync(join(forge.root, name))
    cpSync(first.bare, join(forge.root, name, 'bare.git'), { recursive: true })
  }
  const rows = [await costs('no source', atRest, measured)]
  await service.signIn()
  await forEachConcurrently(numbers, async (at) => {
    const name = nameOf(at)
    await makeSource(service, forge, { name, repository: name, lookEvery: null })
  })
  rows.push(await costs(`${count} sources, never asked`, atRest, measured))
  await service.signIn()
  await forEachConcurrently(numbers, (at) => askOften(service, nameOf(at)))
  await allAsked(service, count)
  rows.push(await costs(`${count} sources, asked every minute`, asked, measured))
  await allAsked(service, count)
  return rows
}

async function sharedSource(measured: Measured): Promise<string[][]> {
  const { service, forge } = measured
  const name = 'estate'
  const folders = numbers.map((at) => [`apps/${nameOf(at)}/compose.yaml`, compose] as const)
  const revision = forge.make(name).commit(Object.fromEntries(folders))
  await makeSource(service, forge, { name, repository: name, lookEvery: null })
  for (const stack of numbers.map(nameOf)) {
    await service.call('POST', '/stacks', { name: stack, compose })
    await bindStack(service, { stack, source: name, path: `apps/${stack}` })
  }
  await service.call('POST', `/stacks/${nameOf(0)}/source/sync`)
  await allSynced(service, revision)
  const rows = [await costs(`${count} stacks of one source, never asked`, atRest, measured)]
  await service.signIn()
  await askOften(service, name)
  await allAsked(service, 1)
  rows.push(await costs(`${count} stacks of one source, asked every minute`, asked, measured))
  await allAsked(service, 1)
  return rows
}

/** Has a source asked as often as can be. The first look follows soon. */
const askOften = ({ call }: Service, name: string): Promise<Json> =>
  call('PUT', `/sources/${name}`, { look_every_seconds: lookEvery })

/** Waits until each of the sources was asked. Throws if one could not be read. */
async function allAsked(service: Service, wanted: number): Promise<void> {
  await service.signIn()
  await reached('all sources were asked', async () => {
    const sources: Json[] = await service.call('GET', '/sources')
    const failed = sources.find((one) => one.last_error !== null)
    if (failed) throw new Error(`source ${failed.name}: ${failed.last_error.message}`)
    return sources.filter((one) => one.revision !== null).length === wanted
  })
}

/** Waits until each stack has the commit. Throws if one cannot follow. */
async function allSynced(service: Service, commit: string): Promise<void> {
  for (const name of numbers.map(nameOf)) {
    await reached(`stack ${name} was synced`, async () => {
      const { synced, last_error: error } = await service.call('GET', `/stacks/${name}/source`)
      if (error) throw new Error(`stack ${name}: ${error.message}`)
      return synced?.revision === commit
    })
  }
}

async function reached(what: string, isReached: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + longest
  while (!(await isReached())) {
    if (Date.now() > end) throw new Error(`not within ${longest / 1000} s: ${what}`)
    await pause(1000)
  }
}

/** Measures for some seconds, and returns a row. */
async function costs(name: string, seconds: number, measured: Measured): Promise<string[]> {
  const { service, forge, memory, companions } = measured
  await pause(settling * 1000)
  const usedBy = () => ({
    service: cpuSeconds(service.pid),
    git: endedSeconds(service.pid),
    others: companions.reduce((sum, pid) => sum + cpuSeconds(pid), 0),
  })
  const resident: number[] = []
  const [before, begin] = [usedBy(), performance.now()]
  while (performance.now() - begin < seconds * 1000) {
    await pause(1000)
    resident.push(residentMebibytes(service.pid))
  }
  const [after, end] = [usedBy(), performance.now()]
  const percent = (of: keyof typeof before) =>
    short(((after[of] - before[of]) * 100_000) / (end - begin))
  const kept = await collected(service.pid, memory)
  const looks = forge.requests.filter(({ at, isFirst }) => isFirst && at >= begin && at <= end)
  return [
    name,
    ...[percent('service'), percent('git'), percent('others')],
    ...[short(median(resident)), short(kept.resident)],
    ...rateOf(looks, (end - begin) / 3_600_000),
  ]
}

/** Returns how often each repository was asked in an hour, and the shortest time between two. */
function rateOf(looks: readonly GitRequest[], hours: number): string[] {
  const last = new Map<string, number>()
  let shortest = Number.POSITIVE_INFINITY
  for (const { repository, at } of looks) {
    shortest = Math.min(shortest, at - (last.get(repository) ?? Number.NEGATIVE_INFINITY))
    last.set(repository, at)
  }
  return [short(last.size === 0 ? 0 : looks.length / last.size / hours), short(shortest / 1000)]
}
