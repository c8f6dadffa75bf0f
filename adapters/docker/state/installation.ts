import type Docker from 'dockerode'
import { cacheFor } from '../../../functions/core/cache-for.ts'
import type {
  EngineFacts,
  InstallationRecords,
} from '../../../functions/core/owners/engine-facts.ts'
import { findMembers } from '../../../functions/core/owners/find-members.ts'
import { noInstallation } from '../../../functions/core/owners/installation.ts'
import { onRejection } from '../../../functions/core/promises.ts'
import type { EngineInfo } from '../../../functions/core/records/host-engine.ts'
import type {
  InspectedContainer,
  Installation,
  ListedContainer,
} from '../../../functions/core/records/installation.ts'
import { inspectContainer, listContainers, planReadDeadline } from '../inspect/container.ts'
import { isHelper } from '../names/labels.ts'
import { unlessMissing } from '../responses/errors.ts'
import { containerList } from '../responses/response-shapes.ts'
import { parsedAs } from '../responses/shapes.ts'
import type { EngineClient } from '../transport/client.ts'
import type { EngineLists } from './lists.ts'

/** What the service knows of itself, beyond what an Engine tells. */
export interface OwnRecords {
  hostId: string
  /** The Engine is that of the machine of this process. */
  isLocal: boolean
  /** Returns where the parts of the installation run. */
  read(): Promise<InstallationRecords>
}

interface Sources {
  lists: EngineLists
  info(): Promise<EngineInfo>
  stacksDirectory: string
}

/** Milliseconds for which a result is used again. */
const lifetime = 1000

/**
 * Returns a reader of what belongs to the installation on this Engine. It reads the Engine and the
 * records at most once a second, and decides again only if they have changed.
 */
export function readInstallation(
  client: EngineClient,
  { lists, info, stacksDirectory }: Sources,
  own: OwnRecords | undefined,
): () => Promise<Installation> {
  if (!own) return async () => noInstallation
  const inspections = inspectionCache(client)
  let last: { seen: readonly unknown[]; result: Installation } | undefined

  async function read(records: OwnRecords): Promise<Installation> {
    const [known, { id }, text, networks] = await Promise.all([
      records.read(),
      info(),
      listContainers(client),
      lists.networks(),
    ])
    const seen = [JSON.stringify(known), id, text, networks]
    if (last && seen.every((one, at) => one === last?.seen[at])) return last.result
    const entries = parsedAs<ListEntry[]>(text, containerList)
    inspections.keep(entries)
    const facts: EngineFacts = {
      hostId: records.hostId,
      isLocal: records.isLocal,
      engineId: id,
      stacksDirectory,
      containers: entries.map(listed),
      networks,
      inspect: inspections.inspect,
    }
    const result = await findMembers(facts, known)
    last = { seen, result }
    return result
  }

  const cached = cacheFor(
    () => read(own),
    lifetime,
    () => performance.now(),
  )
  return cached.get
}

/** The types of dockerode lack the mode and the addresses. */
type ListEntry = Docker.ContainerInfo & { HostConfig?: { NetworkMode?: string } }

function listed(entry: ListEntry): ListedContainer {
  const name = entry.Names[0] ?? ''
  const networks = Object.entries(entry.NetworkSettings?.Networks ?? {})
  return {
    id: entry.Id,
    name: name.replace(/^\//, ''),
    imageId: entry.ImageID,
    labels: entry.Labels ?? {},
    isHelper: isHelper(name, entry.Labels),
    networkMode: entry.HostConfig?.NetworkMode ?? '',
    networks: Object.fromEntries(networks.map(([key, { IPAddress }]) => [key, IPAddress ?? ''])),
    published: (entry.Ports ?? []).flatMap(({ PublicPort, IP }) =>
      PublicPort === undefined ? [] : [{ port: PublicPort, ip: IP ?? '' }],
    ),
    mounts: entry.Mounts.map((mount) => ({
      type: mount.Type ?? '',
      name: mount.Name ?? '',
      source: mount.Source,
      destination: mount.Destination,
    })),
  }
}

/**
 * Inspects containers, again only after the list shows a change of their state or networks: names
 * in a network are given when a container joins it.
 */
function inspectionCache(client: EngineClient) {
  const stateOf = ({ State, NetworkSettings }: ListEntry) =>
    JSON.stringify([State, NetworkSettings?.Networks])
  let states = new Map<string, string>()
  const known = new Map<string, { state: string; found: Promise<InspectedContainer | undefined> }>()
  return {
    keep(entries: readonly ListEntry[]) {
      states = new Map(entries.map((entry) => [entry.Id, stateOf(entry)]))
      for (const [id, { state }] of known) if (states.get(id) !== state) known.delete(id)
    },
    inspect(id: string): Promise<InspectedContainer | undefined> {
      const before = known.get(id)
      if (before) return before.found
      const found = onRejection(inspected(client, id), () => known.delete(id))
      known.set(id, { state: states.get(id) ?? '', found })
      return found
    },
  }
}

async function inspected(
  client: EngineClient,
  id: string,
): Promise<InspectedContainer | undefined> {
  const found = await unlessMissing(inspectContainer(client, id, { deadline: planReadDeadline }))
  if (!found) return undefined
  const networks = Object.entries(found.NetworkSettings.Networks)
  const bindings = Object.values(
    (found.HostConfig.PortBindings ?? {}) as Record<string, Binding[] | null>,
  )
  return {
    hostname: found.Config.Hostname ?? '',
    aliases: Object.fromEntries(networks.map(([name, one]) => [name, namesIn(one)])),
    gateways: networks.flatMap(([, { Gateway }]) => (Gateway ? [Gateway] : [])),
    variables: (found.Config.Env ?? []).map((entry) => entry.split('=', 1)[0] ?? ''),
    published: bindings
      .flatMap((some) => some ?? [])
      .map(({ HostIp = '', HostPort = '' }) => ({ port: Number(HostPort), ip: HostIp })),
  }
}

/** Since API 1.44 the names that the Engine itself adds are apart from the aliases. */
const namesIn = ({ Aliases, DNSNames }: { Aliases?: Names; DNSNames?: Names }): string[] => [
  ...(Aliases ?? []),
  ...(DNSNames ?? []),
]

type Names = string[] | null | undefined

interface Binding {
  HostIp?: string
  HostPort?: string
}
