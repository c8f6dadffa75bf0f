import { posix } from 'node:path'
import { present } from '../../adapters/testing/present.ts'
import { type Page, proseOf } from './pages.ts'

/**
 * Returns the links that lead to no file, or to no heading of a page.
 *
 * @param isThere whether a path from the top of the repository exists
 */
export function brokenLinks(pages: readonly Page[], isThere: (path: string) => boolean): string[] {
  const anchors = new Map(pages.map((page) => [page.path, anchorsOf(page)]))
  return pages.flatMap((page) =>
    linksOf(page).flatMap((link) => {
      const [file = '', anchor] = link.split('#')
      const path = file === '' ? page.path : posix.join(posix.dirname(page.path), file)
      const found = anchors.get(path)
      const isBroken = !isThere(path) || (anchor !== undefined && found && !found.has(anchor))
      return isBroken ? [`${page.path}: ${link}`] : []
    }),
  )
}

function linksOf(page: Page): string[] {
  const prose = proseOf(page)
    .join('\n')
    .replace(/`[^`]*`/g, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link]) => present(link))
    .filter((link) => !/^[a-z]+:/.test(link))
}

/** Returns the anchors that GitHub generates for the headings. */
function anchorsOf(page: Page): Set<string> {
  const seen = new Map<string, number>()
  const anchors = proseOf(page).flatMap((line) => {
    const heading = /^#+ (.*)$/.exec(line)?.[1]
    if (heading === undefined) return []
    const anchor = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-')
    const before = seen.get(anchor) ?? 0
    seen.set(anchor, before + 1)
    return [before === 0 ? anchor : `${anchor}-${before}`]
  })
  return new Set(anchors)
}
