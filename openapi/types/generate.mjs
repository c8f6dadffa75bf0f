// Writes the types of the API for the browser UI and for the client library, unless they are
// current. This folder is a workspace of its own because the library that makes them needs an older
// TypeScript than the rest.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import openapi, { astToString } from 'openapi-typescript'
import { brandHosts, brandImport } from './brand-hosts.mjs'

const description = readFileSync(new URL('../openapi.json', import.meta.url), 'utf8')
const programs = ['brand-hosts.mjs', 'generate.mjs']
  .map((name) => readFileSync(new URL(name, import.meta.url), 'utf8'))
  .join('')
const targets = [
  { path: 'packages/client/api.types.ts', head: '', options: {} },
  { path: 'web/data/api.types.ts', head: brandImport, options: { postTransform: brandHosts } },
].map(({ path, ...rest }) => ({ url: new URL(`../../${path}`, import.meta.url), ...rest }))

/**
 * Describes the messages of each feed as the body of its response, where the types find them.
 *
 * @param {ReturnType<typeof JSON.parse>} parsed
 */
function withMessages(parsed) {
  for (const { get } of Object.values(parsed.paths)) {
    const messages = get?.['x-messages']
    if (messages) get.responses['200'].content = { 'application/json': messages }
  }
  return parsed
}

const digest = createHash('sha256').update(description).update(programs).digest('hex')
const firstLine = `// Generated from openapi.json and openapi/types, SHA-256 ${digest}\n`

const stale = targets.filter(
  ({ url }) => !existsSync(url) || !readFileSync(url, 'utf8').startsWith(firstLine),
)
for (const { url, head, options } of stale) {
  const parsed = withMessages(JSON.parse(description))
  const nodes = await openapi(parsed, { alphabetize: true, silent: true, ...options })
  mkdirSync(new URL('.', url), { recursive: true })
  writeFileSync(url, firstLine + head + astToString(nodes))
}
