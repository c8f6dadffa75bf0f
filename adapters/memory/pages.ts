import type { Page, PageName, Pages } from '../../functions/core/pages.ts'

/** Pages that are what a test says they are. */
export function memoryPages(pages: Partial<Record<PageName, Page>> = {}): Pages {
  return { find: async (name) => pages[name] }
}
