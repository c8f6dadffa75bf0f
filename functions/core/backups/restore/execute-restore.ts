import { deployStacks } from './deploy-stacks.ts'
import { fillItems } from './fill-items.ts'
import { journalOf } from './journal.ts'
import { replaceItems } from './replace-items.ts'
import type { RestoreWork } from './restore-work.ts'

/** The result of executing a restore. */
export interface RestoreExecution {
  /** All data is in its place. Otherwise what was changed has to be undone. */
  isInPlace: boolean
  /** The error that stopped the restore. */
  failure?: { error: unknown }
  /** The stacks that could not be deployed, as text. */
  trouble?: string
}

/**
 * Executes a restore. The whole backup is copied to the host and verified before existing data is
 * touched. Existing data is kept until the new data is complete. Durable after it: the data on the
 * host and, in the journal of the run, what was changed and is needed to undo it. Never throws.
 */
export async function executeRestore(work: RestoreWork): Promise<RestoreExecution> {
  const { recorder } = work
  let isInPlace = false
  try {
    const filled = await fillItems(work)
    await replaceItems(filled, work)
    await recorder.change({ journal: { ...journalOf(recorder.run), phase: 'deploying' } })
    isInPlace = true
    return { isInPlace, trouble: await deployStacks(work) }
  } catch (error) {
    return { isInPlace, failure: { error } }
  }
}
