import { ignoreError } from '../ignore-error.ts'
import { releaseOwned } from '../owners/owned-resources.ts'
import type { Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import type { Leaver } from '../records/owner.ts'
import type { StackRecord } from '../records/stack.ts'
import { leaveFiles } from '../stacks/leave-files.ts'
import { removeHookOf } from '../stacks/stack-hook.ts'
import { removeJobsOf } from '../stacks/stack-jobs.ts'
import { writtenPaths } from '../stacks/texts.ts'

type DeleteStackPorts = Needs<
  | 'clock'
  | 'engines'
  | 'jobLogs'
  | 'log'
  | 'owners'
  | 'stackHooks'
  | 'stackJobs'
  | 'stacks'
  | 'texts'
>

/**
 * Deletes a stack that was taken down: its files on the host, its hook, its jobs and its record.
 * The caller removes its deployments last: while the running one is recorded, recovery can resume
 * the removal. Files of an adopted stack stay because they were there before it. Volumes and a
 * directory with files that stay are recorded as left by the account that deletes it. Call it under
 * the lease of the stack, so that no deployment starts it in the meantime.
 */
export async function deleteStack(
  stack: Stored<StackRecord>,
  by: Leaver,
  ports: DeleteStackPorts,
): Promise<void> {
  await removeFiles(stack, ports)
  await releaseOwned(stack, by, ports)
  await leaveFiles(stack, by, ports)
  await removeHookOf(stack, ports)
  await removeJobsOf(stack, ports)
  await ports.stacks.remove(stack.id)
}

async function removeFiles(stack: StackRecord, ports: DeleteStackPorts): Promise<void> {
  const paths = await writtenPaths(stack, ports)
  if (paths.length === 0 || stack.adopted) return
  try {
    const engine = await ports.engines.on(stack.hostId)
    await engine.writeFiles(stack.directory, [], paths)
    await engine
      .removeEmptyDirectory(stack.directory, paths)
      .catch(ignoreError('remove the empty directory of a stack'))
  } catch (error) {
    ports.log.warn('the files of a removed stack are still on its host', { stack: stack.id, error })
  }
}
