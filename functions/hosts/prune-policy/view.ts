import type { z } from 'zod'
import { instant, instantOrNull } from '../../core/access/fields.ts'
import { keptView, unusedView } from '../../core/images/unused-image-view.ts'
import type {
  PrunePreview as Preview,
  PreviewedImage,
} from '../../core/prune-policies/preview-prune.ts'
import type { PruneTerms } from '../../core/prune-policies/prune-record.ts'
import type { PrunePolicy as PrunePolicyRecord } from '../../core/records/prune-policy.ts'
import { editionOf } from '../../kit/entity-tag.ts'
import type { Edition } from '../../kit/if-match.ts'
import type { PrunePolicy, PrunePolicyBody, PrunePreview } from './schema.ts'

/** Returns the edition of the policy of a host. What its runs do does not change it. */
export function prunePolicyEdition(policy: PrunePolicyRecord | undefined): Edition {
  if (!policy) return editionOf([])
  const { schedule, timezone, what, unusedDays, actsAs } = policy
  return editionOf([schedule, timezone, what, unusedDays, actsAs.accountId, actsAs.since])
}

/** Returns the policy of a host in the API's form; without one, that none was saved. */
export function prunePolicyView(
  policy: PrunePolicyRecord | undefined,
  blocked: string | null,
): z.input<typeof PrunePolicy> {
  if (!policy) return noPolicy
  const { schedule, timezone, what, unusedDays, actsAs, last, nextRunAt } = policy
  return {
    schedule,
    timezone,
    what,
    unused_days: unusedDays,
    acts_as: actsAs.username,
    blocked,
    last: last && {
      at: instant(last.at),
      removed: last.removed,
      reclaimed_bytes: last.reclaimedBytes,
      error: last.error,
    },
    next_at: instantOrNull(nextRunAt),
  }
}

const noPolicy: z.input<typeof PrunePolicy> = {
  schedule: null,
  timezone: 'UTC',
  what: 'nameless',
  unused_days: null,
  acts_as: null,
  blocked: null,
  last: null,
  next_at: null,
}

/** Returns what a request body says. */
export const pruneTermsOf = ({
  schedule,
  timezone,
  what,
  unused_days,
}: z.output<typeof PrunePolicyBody>): PruneTerms => ({
  schedule: schedule.trim().replaceAll(/\s+/g, ' '),
  timezone,
  what,
  unusedDays: unused_days,
})

/**
 * Returns what a run would do in the API's form.
 *
 * @param readsStacks whether the caller may know which stacks need the images that stay
 */
export const previewView = (
  { runAt, removed, waiting, kept }: Preview,
  readsStacks: boolean,
): z.input<typeof PrunePreview> => ({
  run_at: instant(runAt),
  images: removed.map(previewedView),
  waiting: waiting.map(previewedView),
  kept: kept.map((one) => keptView(one, readsStacks)),
})

const previewedView = ({ image, since, dueAt }: PreviewedImage) => ({
  ...unusedView(image),
  unused_since: instantOrNull(since),
  due_at: instant(dueAt),
})
