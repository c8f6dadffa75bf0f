// Writes the types of the API for the browser UI and for the client library, unless they are
// current. This folder is a workspace of its own because the library that makes them needs an older
// TypeScript than the rest.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import openapi, { astToString } from 'openapi-typescript'
import { brandHosts, brandImport } from './brand-hosts.mjs'

const description = readFileSync(new URL('../openapi.json', import.meta.url), 'utf8')
const brands = readFileSync(new URL('brand-hosts.mjs', import.meta.url), 'utf8')
const targets = [
  { path: 'packages/client/api.types.ts', head: '', options: {} },
  { path: 'web/data/api.types.ts', head: brandImport, options: { postTransform: brandHosts } },
].map(({ path, ...rest }) => ({ url: new URL(`../../${path}`, import.meta.url), ...rest }))

const digest = createHash('sha256').update(description).update(brands).digest('hex')
const firstLine = `// Generated from openapi.json and openapi/types, SHA-256 ${digest}\n`

const stale = targets.filter(
  ({ url }) => !existsSync(url) || !readFileSync(url, 'utf8').startsWith(firstLine),
)
for (const { url, head, options } of stale) {
  const parsed = JSON.parse(description)
  const nodes = await openapi(parsed, { alphabetize: true, silent: true, ...options })
  mkdirSync(new URL('.', url), { recursive: true })
  writeFileSync(url, firstLine + head + astToString(nodes))
}
