import { clean } from '../output/text.ts'

/** More names are not shown. */
const namesMax = 12

/** Returns the first names of a list, escaped, and how many there are more. */
export function shortList(paths: readonly string[]): string {
  const shown = paths.slice(0, namesMax).map(clean).join(', ')
  return paths.length > namesMax ? `${shown} and ${paths.length - namesMax} more` : shown
}
