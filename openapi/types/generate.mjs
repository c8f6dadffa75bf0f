// Writes the types of the API for the browser UI and for the client library, unless they are
// current. This folder is a workspace of its own because the library that makes them needs an older
// TypeScript than the rest.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import openapi, { astToString } from 'openapi-typescript'

const description = readFileSync(new URL('../openapi.json', import.meta.url), 'utf8')
const targets = ['web/data/api.types.ts', 'packages/client/api.types.ts'].map(
  (path) => new URL(`../../${path}`, import.meta.url),
)

const digest = createHash('sha256').update(description).digest('hex')
const firstLine = `// Generated from openapi.json, SHA-256 ${digest}\n`

const stale = targets.filter(
  (target) => !existsSync(target) || !readFileSync(target, 'utf8').startsWith(firstLine),
)
if (stale.length > 0) {
  const nodes = await openapi(JSON.parse(description), { alphabetize: true, silent: true })
  for (const target of stale) {
    mkdirSync(new URL('.', target), { recursive: true })
    writeFileSync(target, firstLine + astToString(nodes))
  }
}
