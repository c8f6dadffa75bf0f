import { conflict } from '../../errors.ts'
import { changeStack } from '../../stacks/locate.ts'
import { expectations } from '../../stacks/project.ts'
import type { StackRecord } from '../../stacks/stack.ts'
import { keepTexts } from '../../stacks/texts.ts'
import type { RestoreWork } from './carry-out.ts'
import type { StackToRestore } from './plan.ts'
import { claimRestored } from './volume-owners.ts'

/**
 * Creates the records of the restored stacks, or resets existing records to their state in the
 * backup.
 */
export async function recordStacks({ plan, ports }: RestoreWork): Promise<void> {
  for (const stack of plan.stacks) {
    const { saved, name, project, texts, existing } = stack
    const now = ports.clock.now()
    await claimRestored(plan, name, ports)
    const restored = {
      files: await keepTexts(texts, ports),
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
      throw conflict(`stack ${name}: it was created meanwhile`)
    }
  }
}

type Restored = Pick<
  StackRecord,
  'files' | 'composeFiles' | 'environment' | 'services' | 'written' | 'updatedAt'
>

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
