import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Installs the packages of package-lock.json if they are missing or outdated. Returns false if npm
 * fails.
 */
export function ensureModules(print = console.log) {
  const mark = `${root}node_modules/.package-lock.json`
  const lock = `${root}package-lock.json`
  if (existsSync(mark) && statSync(mark).mtimeMs >= statSync(lock).mtimeMs) return true
  print('Installing the packages with npm ci, which takes some minutes the first time')
  const { status } = spawnSync('npm', ['ci', '--no-fund', '--no-audit', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
  })
  return status === 0
}
