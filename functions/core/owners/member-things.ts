import { posix } from 'node:path'
import { label } from '../../compose/create/labels.ts'
import { ownEntry } from '../../compose/lookup.ts'
import type { ListedContainer, ServiceProcess } from '../records/installation.ts'
import { type EngineFacts, isProcessOf, isSocket } from './engine-facts.ts'

/** Every Engine has these, and everything on it may use them. */
const predefined = new Set(['bridge', 'host', 'none'])

/**
 * Returns the networks that the projects of the installation made, and those in which its store
 * answers.
 */
export function networksOf(
  stores: readonly ListedContainer[],
  projects: ReadonlySet<string>,
  { networks }: EngineFacts,
): Set<string> {
  const found = new Set(stores.flatMap((store) => Object.keys(store.networks)))
  for (const { name, labels } of networks) {
    const project = labels[label.project]
    if (project !== undefined && projects.has(project)) found.add(name)
  }
  return new Set([...found].filter((name) => !predefined.has(name)))
}

/** Returns the names of members, and of the store that they look up, by network of others. */
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
    const aliases = (await inspect(id))?.aliases ?? {}
    const store = processes.find(({ container }) => container === id)?.store?.host
    const lookedUp = store !== undefined && isName(store) ? [store] : []
    for (const network of joined) {
      const taken = [name, ...(ownEntry(aliases, network) ?? []), ...lookedUp]
      names.set(network, new Set([...(names.get(network) ?? []), ...taken]))
    }
  }
  return names
}

const isName = (host: string) => /[a-z]/i.test(host) && !host.includes(':')

/** The directories of the key of an agent, in its container. */
export const agentDirectories = ['/var/lib/container-stacks-agent']

/**
 * Returns where on the host the records and keys of the installation are: the data directories of
 * processes and agents, and what the store mounts. Directories that also have others' files are
 * left out: that of stacks, what is above it, and what every container may read.
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
  ].filter(({ type, source }) => type === 'bind' && isOwn(source, facts))
  const data = processes.filter((one) => one.container === 'none' && isProcessOf(facts, one))
  return [
    ...new Set([
      ...mounts.map(({ source }) => posix.normalize(source)),
      ...data.map(({ dataDirectory }) => dataDirectory),
    ]),
  ].sort()
}

const common =
  /^\/(?:etc\/(?:localtime|timezone|hosts|hostname|resolv\.conf)|usr|proc|sys|dev|run)(?:\/|$)/

function isOwn(source: string, { stacksDirectory }: EngineFacts): boolean {
  const isAbove = `${posix.normalize(stacksDirectory)}/`.startsWith(
    `${posix.normalize(source)}/`.replace('//', '/'),
  )
  return !isAbove && !isSocket(source) && !common.test(`${source}/`)
}
