import { invalid, notFound } from '../errors.ts'
import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import { bringsUp } from '../records/deployment-kinds.ts'
import type { StackRecord } from '../records/stack.ts'
import type { StackFiles } from '../records/stack-files.ts'
import { isLink, type StackTree } from '../records/stack-tree.ts'
import { revisionFiles } from '../stacks/revision-files.ts'
import { allFiles } from '../stacks/texts.ts'
import { entryAt, isSameEntry, readFile } from '../stacks/tree.ts'

/** One side of a comparison of a stack's files. */
export interface Side {
  /** The files; undefined for the host, whose files are only known by reading them. */
  tree: StackTree | undefined
  /** What the files were stored as; undefined for the host. */
  files: StackFiles | undefined
  /** Returns the content of a file, or undefined if it does not exist. */
  read(path: string): Promise<Uint8Array | undefined>
}

export type SidePorts = Needs<'texts' | 'deployments' | 'engines'>

/**
 * Returns the files that a name means: `current`, `deployed` (what was last written to the host),
 * `host`, the number of a revision, or the ID of a deployment.
 *
 * @throws 400 for any other name, 404 if there is no such revision or deployment
 */
export async function openSide(name: string, stack: StackRecord, ports: SidePorts): Promise<Side> {
  if (name === 'host') return hostSide(stack, await ports.engines.on(stack.hostId))
  const files = await filesOf(name, stack, ports)
  const tree = files ? await allFiles(files, stack, ports) : {}
  return {
    tree,
    files,
    async read(path) {
      const entry = entryAt(tree, path)
      if (!entry) return undefined
      return isLink(entry) ? Buffer.from(entry.link) : readFile(entry, ports)
    },
  }
}

const hostSide = ({ directory }: StackRecord, engine: Engine): Side => ({
  tree: undefined,
  files: undefined,
  read: async (path) => (await engine.readFiles(directory, [path]))[0]?.content,
})

/** Returns the stored files that a name means; undefined if nothing was deployed yet. */
async function filesOf(
  name: string,
  stack: StackRecord,
  { deployments, texts }: Needs<'deployments' | 'texts'>,
): Promise<StackFiles | undefined> {
  if (name === 'current') return stack.files
  if (name === 'deployed') return withSeeds(stack, { deployments, texts })
  if (/^\d{1,9}$/.test(name)) return revisionFiles(stack, Number(name), { deployments })
  if (!/^[0-9a-f-]{36}$/.test(name)) {
    throw invalid(
      `${JSON.stringify(name)} is not current, deployed, host, the number of a revision or the id of a deployment`,
    )
  }
  const deployment = await deployments.find(stack.id, name)
  if (!deployment) throw notFound(`stack ${stack.id}: it has no deployment ${name}`)
  return deployment.files
}

/** The deployments among which the last one that wrote files is looked for. */
const latestMax = 20

/**
 * Returns what was last written to the host, with the seeds of the deployment that wrote it: the
 * record of the stack leaves them out, and they would count as new files for ever.
 */
async function withSeeds(
  stack: StackRecord,
  ports: Needs<'deployments' | 'texts'>,
): Promise<StackFiles | undefined> {
  const { written } = stack
  if (!written) return undefined
  const known = await ports.deployments.listByStack(stack.id, latestMax)
  // One that failed may have removed files that an earlier one wrote.
  const last = known.find(({ kind }) => bringsUp(kind))
  if (last?.status !== 'succeeded') return written
  const [own, all] = await Promise.all([
    allFiles(written, stack, ports),
    allFiles(last.files, stack, ports),
  ])
  const isPart = Object.entries(own).every(([path, one]) => isSameEntry(one, entryAt(all, path)))
  return isPart ? last.files : written
}
