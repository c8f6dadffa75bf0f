import type { Page, PageName, Pages } from '../../../functions/core/ports/pages.ts'

/** Returns the given pages. */
export function memoryPages(pages: Partial<Record<PageName, Page>> = {}): Pages {
  return { find: async (name) => pages[name] }
}
