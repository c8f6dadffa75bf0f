import type { PrunedImages } from '../api/types.ts'

/** Returns in a few words why a prune leaves an unused image. */
export function whyKept({ reason, stack }: PrunedImages['kept'][number]): string {
  const why = reason === 'held_back' ? 'before a held-back image' : 'for a rollback'
  return `keep ${why}${stack === null ? '' : ` of ${stack}`}`
}
