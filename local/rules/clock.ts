import { codeOf } from './program-text.ts'
import { isTest, type Source } from './source.ts'

/** The file of the browser UI that reads the clock of the browser, which may be wrong. */
const clock = 'web/data/clock.ts'
/** Reads the clock: `Date.now`, also without a call, `new Date()`, `new Date` and `Date()`. */
const reads = /\bDate\s*\.\s*now\b|\bnew Date(?:\s*\(\s*\)|(?![\w$.]|\s*\())|(?<!\bnew )\bDate\(\)/

/** Returns the files of the browser UI that read the clock of the browser instead of `clock.ts`. */
export const clockReaders = (sources: readonly Source[]): string[] =>
  sources
    .filter(({ path }) => path.startsWith('web/') && path !== clock && !isTest(path))
    .filter(({ text }) => reads.test(codeOf(text)))
    .map(({ path }) => `${path}: reads the browser's clock, use serviceTime of ${clock}`)
