import { plainUrl } from '../../functions/core/sources/git-place.ts'
import type { Source } from '../api/types.ts'

/** Where files are: what a source is made of, besides what signs in. */
export type Place = Pick<Source, 'kind' | 'ref' | 'url'>

/** Returns whether a source is read at this place, however its URL is written. */
export const isSamePlace = (source: Place, place: Place): boolean =>
  source.kind === place.kind &&
  source.ref === place.ref &&
  (source.url === place.url || source.url === parsePlain(place))

/** Returns undefined for what is no address: the service says what is wrong with it. */
function parsePlain({ kind, url }: Place): string | undefined {
  if (kind !== 'git') return undefined
  try {
    return plainUrl(url)
  } catch {
    return undefined
  }
}
