// Builds dist/ if it is missing or older than the sources. A shipped build without sources is used
// as it is.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const rooms = [
  'functions',
  'adapters',
  'cli',
  'web',
  'openapi',
  'local',
  'serverless.ts',
  'package.json',
]

/**
 * Returns when the newest file below a path was changed.
 *
 * @type {(path: string) => number}
 */
function newest(path) {
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))))
}

const built = join(root, 'dist/service.js')
const sources = rooms.map((room) => join(root, room)).filter((path) => existsSync(path))
const isStale = sources.some((path) => !existsSync(built) || newest(path) > statSync(built).mtimeMs)
if (isStale) {
  // Imported only here, because an installation without development packages has no esbuild.
  const { build } = await import('./build.mjs')
  await build()
}
