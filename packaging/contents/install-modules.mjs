import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { architectures } from './architectures.mjs'
import { cache } from './places.mjs'

/**
 * Installs the packages of a lock file for an architecture, without running their scripts. Returns
 * the `node_modules` directory. It is kept for the next run, under a name that depends on the lock
 * file.
 *
 * @param {string} name
 * @param {import('./architectures.mjs').Architecture} architecture
 * @param {{ manifest: object, lock: object }} files
 */
export function installModules(name, architecture, { manifest, lock }) {
  const texts = [manifest, lock].map((one) => `${JSON.stringify(one, null, 2)}\n`)
  const digest = createHash('sha256').update(texts.join('')).digest('hex').slice(0, 12)
  const kept = join(cache, `${name}-${architecture}-${digest}`)
  if (existsSync(kept)) return join(kept, 'node_modules')
  mkdirSync(cache, { recursive: true })
  const work = mkdtempSync(join(cache, 'installing-'))
  try {
    writeFileSync(join(work, 'package.json'), texts[0] ?? '')
    writeFileSync(join(work, 'package-lock.json'), texts[1] ?? '')
    const { npm } = architectures[architecture]
    const words = ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund']
    execFileSync('npm', [...words, '--os=linux', '--libc=glibc', `--cpu=${npm}`], {
      cwd: work,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    // A killed run leaves no directory of this name that is incomplete.
    if (!existsSync(kept)) renameSync(work, kept)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return join(kept, 'node_modules')
}
