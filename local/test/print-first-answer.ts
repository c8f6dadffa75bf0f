import { readFileSync } from 'node:fs'
import { allSources } from './all-sources.ts'
import { recordedDurations } from './durations.mjs'
import { firstAnswer } from './first-answer.ts'

/** The seconds of tests in a first answer. The build and the start of tests take half a minute. */
const limit = 150

/** Prints, as JSON, the tests that answer first whether a change of the files on stdin is right. */
const changed = readFileSync(0, 'utf8').split('\n').filter(Boolean)
const seconds = recordedDurations().files
console.log(JSON.stringify(firstAnswer({ sources: allSources(), changed, seconds, limit })))
