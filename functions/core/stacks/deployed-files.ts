import type { Needs } from '../ports/ports.ts'
import type { StackRecord } from '../records/stack.ts'
import type { StackFiles } from '../records/stack-files.ts'
import type { StackTree } from '../records/stack-tree.ts'
import { lastDeploy, lastDeployOf } from './last-deploy.ts'
import { entryAt, isSameEntry, readTree } from './tree.ts'

type DeployedStack = Pick<StackRecord, 'id' | 'files' | 'written' | 'earlier'>

/**
 * Returns the files of the last deploy; those of the newest revision if there was none. The record
 * has them without seeds, which a project may need to load: the deployment has all of them, and if
 * it is not found, the smallest revision that has what was written.
 *
 * @param service what the files are for: variables from sets are those that its containers have,
 *   although a deploy of other services took newer ones
 */
export async function deployedFiles(
  stack: DeployedStack,
  ports: Needs<'texts' | 'deployments'>,
  service?: string,
): Promise<StackFiles> {
  const files = await filesOfLast(stack, ports)
  if (service === undefined || !files.shared) return files
  const own = (await lastDeployOf(stack.id, service, ports))?.files
  // Other files may need variables that the sets did not have then.
  const isSame = own !== undefined && textsOf(own) === textsOf(files) && own.tree === files.tree
  return isSame && own.shared ? { ...files, shared: own.shared } : files
}

async function filesOfLast(
  { id, files, written, earlier = [] }: DeployedStack,
  ports: Needs<'texts' | 'deployments'>,
): Promise<StackFiles> {
  if (written === null) return files
  const last = await lastDeploy(id, 'any', ports)
  const own = await readTree(written, ports)
  const revisions = [files, ...earlier.map((one) => one.files)]
  const [deployed] = await including(own, written, last ? [last.files] : [], ports)
  if (deployed) return deployed.files
  const found = await including(own, written, revisions, ports)
  found.sort((one, other) => one.count - other.count)
  return found[0]?.files ?? written
}

/** Returns those of the files that have the same texts as `written` and all of its tree. */
async function including(
  own: StackTree,
  written: StackFiles,
  all: readonly StackFiles[],
  ports: Needs<'texts'>,
): Promise<{ files: StackFiles; count: number }[]> {
  const found: { files: StackFiles; count: number }[] = []
  for (const files of all.filter((one) => textsOf(one) === textsOf(written))) {
    const tree = await readTree(files, ports)
    const isWhole = Object.entries(own).every(([path, one]) =>
      isSameEntry(one, entryAt(tree, path)),
    )
    if (isWhole) found.push({ files, count: Object.keys(tree).length })
  }
  return found
}

const textsOf = ({ compose, env, overlays }: StackFiles): string =>
  JSON.stringify([compose, env, Object.entries(overlays).sort()])
