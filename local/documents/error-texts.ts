import { present } from '../../adapters/testing/present.ts'
import type { Page } from './pages.ts'

/**
 * Returns the error messages that a page has as headings but that no source contains. In a heading
 * a message is code, with `…` for each variable part.
 *
 * @param source the text of all sources
 */
export function unknownErrorTexts({ text }: Page, source: string): string[] {
  const joined = source.replace(/(['`"]) \+\s*['`"]/g, '')
  const headings = [...text.matchAll(/^### `(.*)`$/gm)].map(([, heading]) => present(heading))
  return headings.filter((heading) => !partsOf(heading).every((part) => joined.includes(part)))
}

/** Returns the fixed parts of a message that are long enough to be searched for. */
const partsOf = (heading: string) => {
  const parts = heading.split('…').map((part) => part.trim())
  const longest = Math.max(...parts.map((part) => part.length))
  return parts.filter((part) => part.length >= Math.min(8, longest))
}
