import type { Page } from './pages.ts'

/**
 * Returns the error texts that a page has as headings (in code, with `…` for what varies) and that
 * occur in no source.
 *
 * @param source the text of all sources
 */
export function unknownErrorTexts({ text }: Page, source: string): string[] {
  const joined = source.replace(/(['`"]) \+\s*['`"]/g, '')
  const headings = [...text.matchAll(/^### `(.*)`$/gm)].map(([, heading]) => heading!)
  return headings.filter((heading) => !partsOf(heading).every((part) => joined.includes(part)))
}

/** The parts of a text that do not vary; without those that are too short to say anything. */
const partsOf = (heading: string) => {
  const parts = heading.split('…').map((part) => part.trim())
  const longest = Math.max(...parts.map((part) => part.length))
  return parts.filter((part) => part.length >= Math.min(8, longest))
}
