import { directoryOf, joinPath, relativeTo } from '../../../compose/paths.ts'
import { isInside } from '../../../compose/policy/resource-reach.ts'
import { Failure } from '../../errors.ts'
import type { HostPlaces } from '../../hosts/containers-using.ts'
import type { Engine } from '../../ports/engine.ts'
import type { Needs } from '../../ports/ports.ts'
import type { LeftOut } from '../../records/backup-manifest.ts'
import type { BackupPart, FoundSource, FoundStack } from './backup-parts.ts'
import { plainLine } from './left-out-texts.ts'
import type { StackUse } from './stack-uses.ts'

/** What a run reads from the host, and what its stacks use that it leaves out. */
export interface BackupExtent extends Required<Omit<HostPlaces, 'volumes'>> {
  leftOut: LeftOut[]
}

/** Returns what a run reads, and what the stacks of its job use that no part of it stores. */
export async function findLeftOut(
  sources: readonly FoundSource[],
  parts: readonly BackupPart[],
  engine: Pick<Engine, 'findLinks'>,
  { log }: Needs<'log'>,
): Promise<BackupExtent> {
  const stacks = sources.filter((source) => source.kind === 'stack')
  const directories = stacks.map(({ directory }) => directory)
  const volumes = new Set(parts.flatMap((part) => (part.kind === 'volume' ? [part.source] : [])))
  const escaping = await escapingLinks(stacks, engine).catch((error) => {
    if (!(error instanceof Failure)) throw error
    // A backup without this warning is better than none.
    log.warn('the links in the directories of stacks could not be looked up', { error })
    return new Map<string, string>()
  })
  const reasonFor = ({ path, volume, reason }: StackUse): string | undefined => {
    if (volume !== undefined && volumes.has(volume)) return undefined
    if (path === undefined || !directories.some((one) => isInside(one, path))) return reason
    return escaping.get(path)
  }
  const found = new Map<string, LeftOut>()
  for (const { name, uses } of stacks) {
    for (const use of uses) {
      const reason = reasonFor(use)
      if (reason === undefined) continue
      const one = {
        stack: name,
        service: use.service === null ? null : plainLine(use.service, 100),
        what: plainLine(use.what),
        reason: plainLine(reason),
      }
      found.set(JSON.stringify(one), one)
    }
  }
  return { directories, escapingPaths: new Set(escaping.keys()), leftOut: [...found.values()] }
}

/**
 * Returns the paths in directories of stacks that a symbolic link leads out of them, each with the
 * reason. A backup contains the link, not its target.
 */
async function escapingLinks(
  stacks: readonly FoundStack[],
  engine: Pick<Engine, 'findLinks'>,
): Promise<Map<string, string>> {
  const paths = stacks.flatMap(({ uses }) => uses.flatMap(({ path }) => path ?? []))
  const escaping = new Map<string, string>()
  for (const { directory } of stacks) {
    const inside = new Map(paths.map((path) => [path, relativeTo(directory, path)]))
    const insidePaths = [...new Set([...inside.values()].flatMap((path) => path ?? []))]
    if (insidePaths.length === 0) continue
    const links = await engine.findLinks(directory, insidePaths)
    for (const [path, at] of inside) {
      const link = at && links.find((one) => `${at}/`.startsWith(`${one.path}/`))
      if (!link) continue
      const target = joinPath(directoryOf(joinPath(directory, link.path)), link.target)
      if (stacks.some((stack) => isInside(stack.directory, target))) continue
      escaping.set(path, `./${link.path} is a link to ${target}, outside of the stack's directory`)
    }
  }
  return escaping
}
