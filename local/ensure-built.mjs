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
  'packaging/build',
  'serverless.ts',
  'package.json',
]

/**
 * What is not a source. Tests install packages while others use the build, and the generated types
 * are made for the type checker alone, at times after the build.
 */
const ignored = new Set(['node_modules', 'api.types.ts'])

/**
 * Returns when the newest source below a path was changed.
 *
 * @type {(path: string) => number}
 */
function newest(path) {
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  const names = readdirSync(path).filter((name) => !ignored.has(name))
  return Math.max(0, ...names.map((name) => newest(join(path, name))))
}

const built = join(root, 'dist/service.js')
const sources = rooms.map((room) => join(root, room)).filter((path) => existsSync(path))
/** Whether this is a part of a test run, which has built and whose other tests use the build. */
const isTested = process.env.CONTAINER_STACKS_TEST_RUN !== undefined
const isStale = () => sources.some((path) => newest(path) > statSync(built).mtimeMs)
if (!existsSync(built) || (!isTested && isStale())) {
  // Imported only here, because an installation without development packages has no esbuild.
  const { build } = await import('../packaging/build/build.mjs')
  await build()
}
