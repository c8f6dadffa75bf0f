import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'

const lockFile = new URL('nodes/package-lock.json', import.meta.url)
const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({ name: z.string(), version: z.string(), integrity: z.string() }).partial(),
  ),
})

/** Node.js for one machine, unpacked. */
export interface NodeProgram {
  version: string
  path: string
  license: string
}

/**
 * Returns Node.js from a package of `nodes/package.json`, in the version and with the contents that
 * the lock file names. Packages are kept in `~/.cache/container-stacks/node`.
 *
 * @throws if the contents of the package differ from the lock file
 */
export function nodeProgram(entry: string): NodeProgram {
  const { name, version, integrity } = locked(entry)
  const folder = join(homedir(), '.cache/container-stacks/node', `${name}-${version}`)
  if (!existsSync(folder)) download(name, version, integrity, folder)
  return { version, path: join(folder, 'bin/node'), license: join(folder, 'LICENSE') }
}

/** Returns what the lock file says. An entry for another name of a package has both. */
function locked(entry: string) {
  const { packages } = Lock.parse(JSON.parse(readFileSync(lockFile, 'utf8')))
  const { name = entry, version, integrity } = packages[`node_modules/${entry}`] ?? {}
  if (!version || !integrity) throw new Error(`nodes/package-lock.json does not have ${entry}`)
  return { name, version, integrity }
}

/** Downloads beside the folder and renames it at the end, so that a folder is always complete. */
function download(name: string, version: string, integrity: string, folder: string): void {
  mkdirSync(join(folder, '..'), { recursive: true })
  const place = mkdtempSync(`${folder}.`)
  try {
    const words = ['pack', '--silent', '--ignore-scripts', '--pack-destination', place]
    execFileSync('npm', [...words, `${name}@${version}`], { cwd: place, stdio: 'pipe' })
    const archive = join(place, `${name}-${version}.tgz`)
    checkIntegrity(readFileSync(archive), integrity, `${name} ${version}`)
    execFileSync('tar', ['-xzf', archive, '-C', place, 'package/bin/node', 'package/LICENSE'])
    if (!existsSync(folder)) renameSync(join(place, 'package'), folder)
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/** @throws if the digest of an archive is not the one in the lock file */
export function checkIntegrity(archive: Buffer, integrity: string, what: string): void {
  const digest = `sha512-${createHash('sha512').update(archive).digest('base64')}`
  if (digest !== integrity)
    throw new Error(`${what} is not the package of the lock file: ${digest}`)
}
