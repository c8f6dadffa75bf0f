import { readFileSync } from 'node:fs'
import { allSources } from './all-sources.ts'
import { recordedDurations } from './durations.mjs'
import { firstAnswer } from './first-answer.ts'

/*
 * Reads the paths of changed files from standard input, one per line. Prints as JSON which tests to
 * run first: those that tell soonest whether the change is right.
 */

/** How many seconds the tests may take, besides half a minute for the build and the start. */
const limit = 150

const changed = readFileSync(0, 'utf8').split('\n').filter(Boolean)
const seconds = recordedDurations().files
console.log(JSON.stringify(firstAnswer({ sources: allSources(), changed, seconds, limit })))
