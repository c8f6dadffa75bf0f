import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readManifest, stagePackage } from './stage.ts'

/** Writes the npm package of the built tree into a folder. Returns its path. */
export function packInto(folder: string): string {
  const place = mkdtempSync(join(tmpdir(), 'container-stacks-package-'))
  try {
    stagePackage(place)
    mkdirSync(folder, { recursive: true })
    const words = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder]
    execFileSync('npm', words, { cwd: place, stdio: 'pipe' })
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
  const { name, version } = readManifest()
  return join(folder, `${name}-${version}.tgz`)
}
