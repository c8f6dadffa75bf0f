import { posix } from 'node:path'
import { relativeTo } from '../../../functions/compose/paths.ts'
import { Failure } from '../../../functions/core/errors.ts'
import type { HostPathKind } from '../../../functions/core/records/host-engine.ts'
import type { Helper } from '../helper-containers/helper.ts'
import { createHelper, mountPoint, removeHelper } from '../helper-containers/helper-container.ts'
import { inspectContainer } from '../inspect/container.ts'
import { componentsOf, levelsOf, statPath } from '../inspect/path-stat.ts'
import type { EngineClient } from '../transport/client.ts'
import type { HostAccess } from './host-access.ts'

/** Path → what is there. Missing paths are left out. */
type Kinds = Map<string, HostPathKind>

/** Concurrent calls that look up a path. */
const statsAtOnce = 8
/** Concurrent helpers for paths outside the directory. */
const helpersAtOnce = 4

/**
 * Returns what absolute paths of the host are, following links as the Engine does. Missing paths
 * are left out. Reads no file. A path behind a link in the directory counts as `other`: the link
 * may lead where this cannot look.
 */
export async function findHostPaths(
  host: HostAccess,
  directory: string,
  paths: readonly string[],
): Promise<Kinds> {
  const inside = new Map<string, string>()
  const outside: string[] = []
  for (const path of new Set(paths)) {
    const name = path === posix.normalize(directory) ? '' : relativeTo(directory, path)
    if (name === undefined) outside.push(path)
    else inside.set(path, name)
  }
  const [within, others] = await Promise.all([
    kindsInside(host, directory, inside),
    kindsOutside(host.client, outside),
  ])
  return new Map([...within, ...others])
}

async function kindsInside(
  { client, helpers }: HostAccess,
  directory: string,
  names: ReadonlyMap<string, string>,
): Promise<Kinds> {
  if (names.size === 0) return new Map()
  const found = await helpers.lend(directory, 'read', async (helper) => {
    const known = await walk(client, helper, [...names.values()])
    const kinds = [...names].flatMap(([path, name]) => {
      const kind = known.get(name)
      return kind ? [[path, kind] as const] : []
    })
    // Paths must not count as missing because the helper is gone: then this throws, and another
    // helper is used.
    if (kinds.length < names.size) await inspectContainer(client, helper.id)
    return new Map(kinds)
  })
  return found ?? new Map()
}

/**
 * Looks up paths in the helper's directory from the top, because the Engine fails for a path below
 * a file.
 */
async function walk(client: EngineClient, helper: Helper, names: readonly string[]) {
  const known: Kinds = new Map([['', 'directory']])
  const linked = new Set<string>()
  for (const level of levelsOf(componentsOf(names))) {
    await inBatches(level, statsAtOnce, async (name) => {
      const parent = name.slice(0, Math.max(0, name.lastIndexOf('/')))
      if (linked.has(parent)) {
        linked.add(name)
        known.set(name, 'other')
      }
      if (linked.has(parent) || known.get(parent) !== 'directory') return
      const stat = await statPath(client, helper.id, posix.join(helper.base, name))
      if (stat?.kind === 'link') linked.add(name)
      if (stat) known.set(name, stat.kind === 'link' ? 'other' : stat.kind)
    })
  }
  return known
}

/**
 * Looks up paths by mounting them into a helper that is never started: the Engine refuses a mount
 * whose source is missing, as it would for the container of the stack. One helper is enough if all
 * paths exist.
 */
async function kindsOutside(client: EngineClient, paths: readonly string[]): Promise<Kinds> {
  if (paths.length === 0) return new Map()
  const all = await kindsOfMounts(client, paths)
  if (all || paths.length === 1) return all ?? new Map()
  const kinds: Kinds = new Map()
  await inBatches(paths, helpersAtOnce, async (path) => {
    for (const [key, kind] of (await kindsOfMounts(client, [path])) ?? []) kinds.set(key, kind)
  })
  return kinds
}

/** Returns what the paths are, or undefined if one of them is missing. */
async function kindsOfMounts(
  client: EngineClient,
  paths: readonly string[],
): Promise<Kinds | undefined> {
  const mounts = paths.map((path, index) => ({
    Type: 'bind',
    Source: path,
    Target: `${mountPoint}/${index}`,
    ReadOnly: true,
  }))
  let id: string
  try {
    id = await createHelper(client, { Mounts: mounts })
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 400) throw error
    return undefined
  }
  try {
    const kinds: Kinds = new Map()
    await inBatches([...paths.entries()], statsAtOnce, async ([index, path]) => {
      const stat = await statPath(client, id, `${mountPoint}/${index}`)
      kinds.set(path, stat && stat.kind !== 'link' ? stat.kind : 'other')
    })
    return kinds
  } finally {
    await removeHelper(client, id)
  }
}

async function inBatches<T>(
  items: readonly T[],
  size: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < items.length; at += size) {
    await Promise.all(items.slice(at, at + size).map(work))
  }
}
