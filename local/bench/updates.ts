import { imageRegistry } from '../../adapters/registry/read.ts'
import { stack } from '../../adapters/testing/contract/samples.ts'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { present } from '../../adapters/testing/present.ts'
import { label } from '../../functions/compose/create/labels.ts'
import type { ImageRegistry } from '../../functions/core/ports/image-registry.ts'
import type { ContainerSummary } from '../../functions/core/records/container.ts'
import { tarOf } from '../../functions/core/tar/make.ts'
import { lookForUpdates } from '../../functions/core/updates/look-for-updates.ts'
import { loopbackDialer } from '../harness/outbound.ts'
import { publishImage, type Registry, startRegistry } from '../harness/registry.ts'
import { ratio, short, sized, table, timed } from './numbers.ts'

const images = sized(500, 20)
const servicesOfStack = 5
const hour = 3_600_000
/** Requests that a registry gets at once. */
const atOnce = 2
const idleRuns = 20
/** Seconds between two runs of the schedule. */
const every = 15

/**
 * Measures looks at the tags of 500 services in a real registry on loopback, against bare requests
 * for the same tags. The Engine and the store are in memory, so their time is left out.
 */
export async function updatesBench(): Promise<string> {
  const registry = await startRegistry()
  try {
    return await measured(registry)
  } finally {
    await registry.close()
  }
}

async function measured(registry: Registry): Promise<string> {
  const layer = await tarOf([{ path: 'made', content: Buffer.from('made'), mode: 0o644 }])
  const names = Array.from({ length: images }, (_, at) => `team/app${at}`)
  const digests: string[] = []
  for (const name of names) digests.push((await publishImage(registry, name, '1.0', layer)).digest)
  const bare = await timed(() => askBare(registry, names))
  const here = world(registry, names, digests)
  await here.look()
  here.pass(5 * 60_000)
  const rows = [['bare HEAD requests', short(bare), '', `${images}`, '', '']]
  rows.push(['a look at all, nothing is newer', ...(await here.measured(bare))])
  for (const [at, name] of names.entries()) {
    if (at % 10 === 0) await publishImage(registry, name, '1.0', layer, { at: String(at) })
  }
  here.pass(7 * hour)
  rows.push(['a look at all, every tenth is newer', ...(await here.measured(bare))])
  const used = process.cpuUsage()
  for (let run = 0; run < idleRuns; run += 1) await here.look()
  const { user, system } = process.cpuUsage(used)
  const idle = (user + system) / 1000 / idleRuns
  return [
    `${images} tags of ${images} services, ${atOnce} requests at once.`,
    table(['', 'ms', 'time/bare', 'HEAD', 'lists of tags', 'manifests'], rows),
    `A run in which nothing is due takes ${short(idle)} ms of a processor: ${short(idle / every / 10)} % of it, every ${every} s.`,
  ].join('\n\n')
}

/** Asks for the same tags without a service. */
async function askBare({ address }: Registry, names: readonly string[]): Promise<void> {
  const waiting = [...names]
  const headers = { Accept: 'application/vnd.docker.distribution.manifest.v2+json' }
  const work = async () => {
    for (let name = waiting.pop(); name; name = waiting.pop()) {
      const url = `http://${address}/v2/${name}/manifests/1.0`
      const { ok } = await fetch(url, { method: 'HEAD', headers })
      if (!ok) throw new Error(`${url} failed`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

/** A service whose stacks run the images, with the registry as it is reached from outside. */
function world({ address }: Registry, names: readonly string[], digests: readonly string[]) {
  const counts = { heads: 0, lists: 0, manifests: 0 }
  const registry = counting(imageRegistry(loopbackDialer()), counts)
  const ports = memoryPorts({ imageRegistry: registry })
  void ports.settings.save({ 'registry.allow': [address] })
  const { local } = ports.engines
  const containers = names.map((_, at) => containerOf(at))
  const summaries = names.map((name, at) => ({
    id: idOf(at),
    tags: [`${address}/${name}:1.0`],
    digests: [`${address}/${name}@${digests[at]}`],
    size: 1,
    createdAt: '2026-06-01T12:00:00.000Z',
    containers: 1,
  }))
  local.containers = async () => containers
  local.images = async () => summaries
  local.resolve = async ({ images: [id = ''] }) => {
    const { digests: own } = present(summaries.find((one) => one.id === id))
    const platform = { os: 'linux', architecture: 'amd64' }
    return {
      networks: {},
      volumes: {},
      images: { [id]: { id, digests: own, taggedAt: null, platform } },
    }
  }
  const stacks = Math.ceil(names.length / servicesOfStack)
  for (let at = 0; at < stacks; at += 1) {
    const services = Object.fromEntries(
      names
        .slice(at * servicesOfStack, (at + 1) * servicesOfStack)
        .map((name, one) => [
          `s${one}`,
          { containers: 1, job: false, image: `${address}/${name}:1.0` },
        ]),
    )
    void ports.stacks.create({ ...stack(`stack-${at}`), services, deployed: true })
  }
  const look = () => lookForUpdates(ports, new AbortController().signal)
  return {
    look,
    pass: (milliseconds: number) => ports.clock.advance(milliseconds),
    async measured(bare: number): Promise<string[]> {
      Object.assign(counts, { heads: 0, lists: 0, manifests: 0 })
      const time = await timed(look)
      const { heads, lists, manifests } = counts
      return [short(time), ratio(time, bare), `${heads}`, `${lists}`, `${manifests}`]
    },
  }
}

const counting = (
  registry: ImageRegistry,
  counts: { heads: number; lists: number; manifests: number },
): ImageRegistry => ({
  digestOf(...given) {
    counts.heads += 1
    return registry.digestOf(...given)
  },
  manifest(...given) {
    counts.manifests += 1
    return registry.manifest(...given)
  },
  tags(...given) {
    counts.lists += 1
    return registry.tags(...given)
  },
})

const idOf = (at: number) => `sha256:${String(at).padStart(64, '0')}`

function containerOf(at: number): ContainerSummary {
  const project = `stack-${Math.floor(at / servicesOfStack)}`
  const service = `s${at % servicesOfStack}`
  return {
    id: `c${at}`,
    name: `${project}-${service}-1`,
    image: 'image',
    imageId: idOf(at),
    state: 'running',
    status: 'Up 3 minutes',
    health: null,
    upSeconds: 180,
    exitCode: null,
    createdAt: '2026-06-01T12:00:00.000Z',
    ports: [],
    labels: { [label.configHash]: 'hash' },
    stack: project,
    service,
    volumeNames: [],
    networkNames: [],
  }
}
