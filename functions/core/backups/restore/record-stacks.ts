import { broken, conflict } from '../../errors.ts'
import { changeStack } from '../../stacks/locate.ts'
import { expectations } from '../../stacks/project.ts'
import type { StackRecord } from '../../stacks/stack.ts'
import { keepTexts } from '../../stacks/texts.ts'
import type { RestoredField, StackBefore } from '../run.ts'
import type { RestoreWork } from './carry-out.ts'
import type { StackToRestore } from './plan.ts'
import { stackBefore } from './reset-stacks.ts'
import { claimRestored } from './volume-owners.ts'

/**
 * Creates the records of the restored stacks, or resets existing records to their state in the
 * backup.
 */
export async function recordStacks(work: RestoreWork): Promise<void> {
  const { plan, recorder, ports } = work
  await noteBefore(work)
  for (const stack of plan.stacks) {
    const { saved, name, project, texts, existing } = stack
    const now = ports.clock.now()
    await claimRestored(plan, name, ports)
    const restored = {
      files: await keepTexts(texts, ports),
      filesFrom: recorder.run.id,
      composeFiles: saved.compose_files,
      environment: saved.environment,
      services: expectations(project),
      // The deployment writes the stack's files, whatever is in the directory.
      written: null,
      updatedAt: now,
    }
    if (existing) {
      await changeStack(
        name,
        ({ contentRevision }) => ({ ...restored, contentRevision: contentRevision + 1 }),
        ports,
      )
    } else if (!(await ports.stacks.create(newStack(stack, plan.hostId, restored, now)))) {
      throw conflict(`stack ${name}: it was created in the meantime`)
    }
  }
}

/** Records the stacks as they are, so that a restore that does not end can be undone. */
async function noteBefore({ plan, recorder, ports }: RestoreWork): Promise<void> {
  if (plan.stacks.length === 0) return
  const stacks: StackBefore[] = []
  for (const { name } of plan.stacks) stacks.push(stackBefore(name, await ports.stacks.find(name)))
  const journal = { ...recorder.run.journal!, stacks }
  if (!(await recorder.change({ journal }))) {
    throw broken('another process took the restore over')
  }
}

type Restored = Pick<StackRecord, Exclude<RestoredField, 'contentRevision'>>

function newStack(
  { name, directory, adopted }: StackToRestore,
  hostId: string,
  restored: Restored,
  now: number,
): StackRecord {
  return {
    ...restored,
    ...{ id: name, hostId, directory, adopted, contentRevision: 1, keptVolumes: {} },
    ...{ last: null, deployed: false, createdAt: now, deployedAt: null },
  }
}
