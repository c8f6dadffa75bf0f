import { codeOf } from './program-text.ts'
import { isTest, type Source } from './source.ts'

/** The file of the browser UI that uses the storage of the browser, which may be denied. */
const storage = 'web/browser/storage.ts'

/** Returns the files of the browser UI that use the storage of the browser without `storage.ts`. */
export const storageUsers = (sources: readonly Source[]): string[] =>
  sources
    .filter(({ path }) => path.startsWith('web/') && path !== storage && !isTest(path))
    .filter(({ text }) => /\b(?:local|session)Storage\b/.test(codeOf(text)))
    .map(({ path }) => `${path}: uses the browser's storage, use kept or keptInTab of ${storage}`)
