import { codeOf } from './program-text.ts'
import { isTest, type Source } from './source.ts'

/** The file of the browser UI that reads the clock of the browser, which may be wrong. */
const clock = 'web/data/clock.ts'

/** The ways to read the clock. `new Date(…)` with an argument does not read it. */
const clockReads = [
  /\bDate\s*\.\s*now\b/, // `Date.now`, called or passed on
  /\bnew Date\s*\(\s*\)/, // `new Date()`
  /\bnew Date(?![\w$.]|\s*\()/, // `new Date` without parentheses
  /(?<!\bnew )\bDate\(\)/, // `Date()`
]

const readsClock = (code: string) => clockReads.some((pattern) => pattern.test(code))

/** Returns the files of the browser UI that read the clock of the browser instead of `clock.ts`. */
export const clockReaders = (sources: readonly Source[]): string[] =>
  sources
    .filter(({ path }) => path.startsWith('web/') && path !== clock && !isTest(path))
    .filter(({ text }) => readsClock(codeOf(text)))
    .map(({ path }) => `${path}: reads the browser's clock, use serviceTime of ${clock}`)
