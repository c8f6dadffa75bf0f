import { instant, instantOrNull } from '../access/fields.ts'
import type { Operation } from '../records/operation.ts'
import type { UpgradeJournal } from '../records/upgrade-journal.ts'

/** How long the replaced container is kept. Milliseconds. */
const keptFor = 86_400_000

/** Returns what became of an upgrade of the service, in its API form. */
export const upgradeAccount = ({
  from,
  to,
  outcome,
  error,
  log,
  startedAt,
  endedAt,
}: UpgradeJournal) => ({
  from_version: from.version ?? null,
  to_version: to.version ?? null,
  image: to.image,
  outcome,
  error,
  log,
  started_at: instant(startedAt),
  ended_at: instantOrNull(endedAt),
  kept_until: instantOrNull(outcome === 'upgraded' && endedAt !== null ? endedAt + keptFor : null),
})

/** Returns the operation of an upgrade as it has ended. */
export function endOfUpgrade(
  operation: Operation,
  journal: UpgradeJournal,
  now: number,
): Operation {
  const isUpgraded = journal.outcome === 'upgraded'
  return {
    ...operation,
    status: isUpgraded ? 'succeeded' : 'failed',
    error: isUpgraded
      ? null
      : failures[journal.outcome] + (journal.error ?? 'the reason is unknown'),
    reason: isUpgraded ? null : 'conflict',
    // Not the end in the journal: after a long stop, the record would be removed unread.
    finishedAt: now,
    result: { ...upgradeAccount(journal) },
  }
}

const failures = {
  open: '',
  upgraded: '',
  taken_back: 'the version from before runs again: ',
  not_started: 'nothing was replaced: ',
  stuck: 'the upgrade could not be finished, nor taken back: ',
} as const satisfies Record<UpgradeJournal['outcome'], string>
