import { readFileSync } from 'node:fs'
import { sourcesUnder } from '../rules/source.ts'
import { untouchedTests } from './untouched.ts'

/** Prints the paths of the engine tests that a change of the files on stdin cannot break. */
const rooms = ['functions', 'adapters', 'cli', 'web', 'openapi', 'local', 'packages', 'packaging']
const manifest = { path: 'serverless.ts', text: readFileSync('serverless.ts', 'utf8') }
const sources = [manifest, ...rooms.flatMap((room) => sourcesUnder(room))]
const changed = readFileSync(0, 'utf8').split('\n').filter(Boolean)
console.log(untouchedTests(sources, changed).join('\n'))
