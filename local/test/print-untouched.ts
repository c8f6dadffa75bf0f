import { readFileSync } from 'node:fs'
import { allSources } from './all-sources.ts'
import { untouchedTests } from './untouched.ts'

/** Prints the paths of the engine tests that a change of the files on stdin cannot break. */
const changed = readFileSync(0, 'utf8').split('\n').filter(Boolean)
console.log(untouchedTests(allSources(), changed).join('\n'))
