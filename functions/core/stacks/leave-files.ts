import type { Needs } from '../ports/ports.ts'
import type { Leaver } from '../records/owner.ts'
import type { StackRecord } from '../records/stack.ts'
import { recordLeftFiles } from './foreign-files.ts'

/** Records who left files in the directory of a stack, as far as its host responds. */
export async function leaveFiles(
  stack: StackRecord,
  by: Leaver,
  ports: Needs<'clock' | 'engines' | 'log' | 'owners'>,
): Promise<void> {
  try {
    await recordLeftFiles(stack, by, await ports.engines.on(stack.hostId), ports)
  } catch (error) {
    ports.log.warn('it is not recorded who left the files of a removed stack', {
      stack: stack.id,
      error,
    })
  }
}
