import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ownArchitecture } from '../../packaging/contents/architectures.mjs'
import { cache } from '../../packaging/contents/places.mjs'

/**
 * Returns the archive of a new Debian 12, in which nothing is installed that it does not need,
 * apart from the named packages. It is made once.
 */
export function debianSystem(packages: readonly string[] = []): string {
  const name = ['debian-root-bookworm', ownArchitecture(), ...packages].join('-')
  const kept = join(cache, `${name}.tar`)
  if (existsSync(kept)) return kept
  const folder = mkdtempSync(join(tmpdir(), 'container-stacks-debian-'))
  try {
    const made = join(folder, 'made')
    const include = packages.length > 0 ? [`--include=${packages}`] : []
    const words = ['--variant=minbase', ...include, 'bookworm', made]
    execFileSync('debootstrap', words, { stdio: 'ignore' })
    mkdirSync(cache, { recursive: true })
    const half = join(folder, 'made.tar')
    execFileSync('tar', ['--create', '--file', half, '--directory', made, '.'])
    copyFileSync(half, `${kept}.${process.pid}`)
    renameSync(`${kept}.${process.pid}`, kept)
    return kept
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
