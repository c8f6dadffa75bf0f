import { isDeepStrictEqual } from 'node:util'
import { saverOf } from '../../access/reach.ts'
import { conflict, unusable } from '../../errors.ts'
import type { RestoredField, StackBefore } from '../../records/backup-run.ts'
import type { StackRecord } from '../../records/stack.ts'
import type { StackFiles } from '../../records/stack-files.ts'
import { expectations } from '../../stacks/load-project.ts'
import { newRevision } from '../../stacks/new-revision.ts'
import { decryptedIn, secretsIn } from '../../stacks/secret-paths.ts'
import { changeStack } from '../../stacks/stack-record.ts'
import { storeFiles } from '../../stacks/store-files.ts'
import { textsByPath } from '../../stacks/texts.ts'
import { changeOrFail } from '../runs/recorder.ts'
import { journalOf } from './journal.ts'
import { readSaved } from './read-saved.ts'
import { stackBefore } from './reset-stacks.ts'
import type { StackToRestore } from './restore-plan.ts'
import type { RestoreWork } from './restore-work.ts'
import { claimRestored, ownVolumes } from './volume-owners.ts'

/**
 * Creates the records of the restored stacks, or resets existing records to their state in the
 * backup.
 */
export async function recordStacks(work: RestoreWork): Promise<void> {
  const { plan, recorder, ports } = work
  await recordBefore(work)
  for (const stack of plan.stacks) {
    const { saved, name, project, existing } = stack
    const now = ports.clock.now()
    const createdAt = existing?.createdAt ?? now
    await claimRestored(plan, { id: name, createdAt }, ports)
    const restored = {
      files: await storeFilesAgain(stack, work),
      filesFrom: recorder.run.id,
      composeFiles: saved.compose_files,
      environment: saved.environment,
      services: expectations(project),
      // The deployment writes the stack's files, whatever is in the directory.
      written: null,
      // The plan looked for files of others, and the restore has replaced what was there.
      mayHaveForeignFiles: false,
      restoredPaths: restoredPathsOf(stack, saved.compose_files),
      updatedAt: now,
    }
    if (existing) {
      await changeStack(
        name,
        (current) => ({ ...restored, ...newRevision(current, restored.files) }),
        ports,
      )
    } else if (!(await ports.stacks.create(newStack(stack, plan.hostId, restored, now)))) {
      throw conflict(`stack ${name}: it was created in the meantime`, { reason: 'exists' })
    }
  }
}

/**
 * Records what is in the directories of stacks whose update is taken back. Their files stay: they
 * are those of the backup.
 */
export async function recordWritten({ plan, ports }: RestoreWork): Promise<void> {
  for (const stack of plan.stacks) {
    const restoredPaths = restoredPathsOf(stack, stack.saved.compose_files)
    const written = { written: null, restoredPaths, mayHaveForeignFiles: false }
    await changeStack(stack.name, () => written, ports)
  }
}

const restoredPathsOf = ({ texts }: StackToRestore, composeFiles: string[]) => [
  ...Object.keys(texts.tree),
  ...Object.keys(textsByPath(texts, { composeFiles })),
]

/**
 * Stores the files of a stack again and returns their digests: the copy to the host may have taken
 * so long that a sweep removed what the plan stored.
 */
async function storeFilesAgain(
  { object, saved, texts, secretFiles }: StackToRestore,
  { backup, by, signal, ports }: RestoreWork,
): Promise<StackFiles> {
  const again = await readSaved(backup.archive(object, signal), object.source, ports)
  if (!isDeepStrictEqual(again.texts, texts)) {
    throw unusable(`${object.name}: it was changed during the restore`)
  }
  const evidence = {
    named: secretFiles,
    before: new Set(secretsIn(texts.tree)),
    decrypted: new Set(decryptedIn(texts.tree)),
  }
  const stored = await storeFiles(texts, evidence, ports)
  return { ...stored, savedBy: saved.saved_by ?? [saverOf(by)] }
}

/** Records the stacks and the owners of their volumes, so that a restore can be undone. */
async function recordBefore({ plan, recorder, ports }: RestoreWork): Promise<void> {
  if (plan.stacks.length === 0) return
  const stacks: StackBefore[] = []
  for (const { name } of plan.stacks) {
    const owned = ownVolumes(plan, name).map(async (thing) => ({
      name: thing.name,
      owner: (await ports.owners.find(thing)) ?? null,
    }))
    const volumes = await Promise.all(owned)
    stacks.push({ ...stackBefore(name, await ports.stacks.find(name)), volumes })
  }
  const journal = { ...journalOf(recorder.run), stacks }
  await changeOrFail(recorder, { journal })
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
    id: name,
    hostId,
    directory,
    adopted,
    contentRevision: 1,
    keptVolumes: {},
    last: null,
    deployed: false,
    recordsOwners: true,
    createdAt: now,
    deployedAt: null,
  }
}
