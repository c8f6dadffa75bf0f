import { posix } from 'node:path'
import { label } from '../../compose/create/labels.ts'
import { ownEntry } from '../../compose/lookup.ts'
import type { ListedContainer, ServiceProcess } from '../records/installation.ts'
import { type EngineFacts, isProcessOf, isSocket } from './engine-facts.ts'
import { nameIn } from './taken-names.ts'

/** Every Engine has these, and everything on it may use them. */
const predefined = new Set(['bridge', 'host', 'none'])

/** Returns the networks of containers. */
export const networksOf = (containers: readonly ListedContainer[]): Set<string> =>
  withoutPredefined(containers.flatMap(({ networks }) => Object.keys(networks)))

/** Returns the networks that the projects of the installation made. */
export function networksOfProjects(
  projects: ReadonlySet<string>,
  { networks }: EngineFacts,
): Set<string> {
  const made = networks.filter(({ labels }) => projects.has(labels[label.project] ?? ''))
  return withoutPredefined(made.map(({ name }) => name))
}

const withoutPredefined = (names: readonly string[]) =>
  new Set(names.filter((name) => !predefined.has(name)))

/**
 * Returns the names of members, and of the store that they look up, by network of others. They have
 * the form of `nameIn`.
 */
export async function namesOf(
  members: readonly ListedContainer[],
  own: ReadonlySet<string>,
  { inspect }: EngineFacts,
  processes: readonly ServiceProcess[],
): Promise<Map<string, Set<string>>> {
  const names = new Map<string, Set<string>>()
  for (const { id, name, networks } of members) {
    const joined = Object.keys(networks).filter((one) => !own.has(one) && !predefined.has(one))
    if (joined.length === 0) continue
    const { aliases = {}, hostname = name } = (await inspect(id)) ?? {}
    const store = processes.find(({ container }) => container === id)?.store?.host
    const lookedUp = store !== undefined && isName(store) ? [store] : []
    for (const network of joined) {
      const taken = [name, hostname, ...(ownEntry(aliases, network) ?? []), ...lookedUp]
      const known = taken.filter(Boolean).map((one) => nameIn(network, one))
      names.set(network, new Set([...(names.get(network) ?? []), ...known]))
    }
  }
  return names
}

const isName = (host: string) => /[a-z]/i.test(host) && !host.includes(':')

/** The directories of the key of an agent, in its container. */
export const agentDirectories = ['/var/lib/container-stacks-agent']

/**
 * Returns where on the host the records and keys of the installation are: the data directories of
 * processes and agents, what the store mounts, and the variables of their compose files. It leaves
 * out directories that also have files of others: that of stacks, what is above it, and what every
 * container may read.
 */
export function directoriesOf(
  { programs, stores }: Record<'programs' | 'stores', readonly ListedContainer[]>,
  facts: EngineFacts,
  processes: readonly ServiceProcess[],
): string[] {
  const held = new Set([...agentDirectories, ...processes.map((one) => one.dataDirectory)])
  const mounts = [
    ...programs.flatMap((one) => one.mounts.filter(({ destination }) => held.has(destination))),
    ...stores.flatMap((one) => one.mounts),
  ].filter(({ type }) => type === 'bind')
  const data = processes.filter((one) => one.container === 'none' && isProcessOf(facts, one))
  const all = [
    ...mounts.map(({ source }) => source),
    ...data.map(({ dataDirectory }) => dataDirectory),
    ...[...programs, ...stores].flatMap(({ labels }) => variablesOf(labels[label.workingDir])),
  ]
  return [...new Set(all.filter((path) => isOwn(path, facts)).map(posix.normalize))].sort()
}

/** Other stacks may have directories beside a compose file, so that its own does not count. */
const variablesOf = (directory: string | undefined) =>
  directory === undefined ? [] : [`${directory}/.env`]

const common =
  /^\/(?:etc\/(?:localtime|timezone|hosts|hostname|resolv\.conf)|usr|proc|sys|dev|run)(?:\/|$)/

function isOwn(source: string, { stacksDirectory }: EngineFacts): boolean {
  const isAbove = `${posix.normalize(stacksDirectory)}/`.startsWith(
    `${posix.normalize(source)}/`.replace('//', '/'),
  )
  return !isAbove && !isSocket(source) && !common.test(`${source}/`)
}
