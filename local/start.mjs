// Starts the service. Builds it first if the sources are newer than the build.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const rooms = ['functions', 'adapters', 'cli', 'openapi', 'local', 'serverless.ts', 'package.json']

function newest(path) {
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))))
}

/**
 * Builds dist/ if it is missing or older than the sources. A shipped build without sources is used
 * as it is.
 */
export async function ensureBuilt() {
  const built = join(root, 'dist/service.js')
  const sources = rooms.map((room) => join(root, room)).filter(existsSync)
  const stale = sources.some((path) => !existsSync(built) || newest(path) > statSync(built).mtimeMs)
  if (!stale) return
  const { build } = await import('./build.mjs')
  await build()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await ensureBuilt()
  await import('../dist/service.js')
}
