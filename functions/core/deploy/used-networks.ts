import { ignoreError } from '../ignore-error.ts'
import type { Needs } from '../ports/ports.ts'
import type { StackRecord } from '../records/stack.ts'
import { deployedFiles } from '../stacks/deployed-files.ts'
import { type LoadPorts, loadFiles } from '../stacks/load-project.ts'

/**
 * Returns the names of the networks that the last deploy of a stack used: empty if there was none
 * or its files no longer load. What a stack used before a right was needed, it may go on using.
 */
export async function usedNetworks(
  stack: StackRecord,
  ports: LoadPorts & Needs<'deployments'>,
): Promise<ReadonlySet<string>> {
  if (stack.written === null || (stack.deployedAt === null && !stack.adopted)) return new Set()
  const files = await deployedFiles(stack, ports)
  const reading = { environment: stack.environment, reach: 'host' as const }
  const loaded = await loadFiles(stack, files, reading, ports).catch(
    ignoreError('load the files of the last deploy'),
  )
  const networks = loaded?.references.filter(({ kind }) => kind === 'network') ?? []
  return new Set(networks.map(({ name }) => name))
}
