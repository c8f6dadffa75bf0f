import type { Page } from './pages.ts'

/**
 * Returns the source files that a page names by their whole path and that do not exist.
 *
 * @param isThere whether a path from the top of the repository exists
 */
export const missingFiles = (pages: readonly Page[], isThere: (path: string) => boolean) =>
  pages.flatMap(({ path, text }) =>
    [...text.matchAll(/`((?:functions|adapters|cli|local|openapi|web)\/[\w./-]+\.[a-z]+)`/g)]
      .map(([, file = '']) => file)
      .filter((file) => !isThere(file))
      .map((file) => `${path}: ${file}`),
  )
