import type { StackRecord } from '../core/records/stack.ts'
import type { Edition } from '../kit/if-match.ts'

/**
 * Returns the edition of a stack and of its files. Revisions begin again with 1 when a stack is
 * deleted and created again, so the time of its creation belongs to it.
 */
export const stackEdition = ({
  contentRevision,
  createdAt,
}: Pick<StackRecord, 'contentRevision' | 'createdAt'>): Edition => `${contentRevision}.${createdAt}`
