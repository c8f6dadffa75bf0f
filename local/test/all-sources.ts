import { readFileSync } from 'node:fs'
import { type Source, sourcesUnder } from '../rules/source.ts'

const rooms = ['functions', 'adapters', 'cli', 'web', 'openapi', 'local', 'packages', 'packaging']

/** Returns every source file of the project, and the style sheets of the browser UI. */
export function allSources(): Source[] {
  const manifest = { path: 'serverless.ts', text: readFileSync('serverless.ts', 'utf8') }
  return [
    manifest,
    ...sourcesUnder('web', ['.css']),
    ...rooms.flatMap((room) => sourcesUnder(room)),
  ]
}
