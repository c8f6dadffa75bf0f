import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readManifest } from '../npm/stage.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const source = join(root, 'packages/client')

/** Compiles the client library into a folder, as it is in its package. */
export function buildClientLibrary(folder: string): void {
  mkdirSync(folder, { recursive: true })
  execFileSync('npm', ['run', '--silent', 'api-types'], { cwd: root, stdio: 'pipe' })
  const words = ['tsc', '-p', source, '--outDir', join(folder, 'dist')]
  execFileSync('npx', words, { cwd: root, stdio: 'pipe' })
  for (const name of ['README.md', 'package.json']) cpSync(join(source, name), join(folder, name))
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
}

/** Writes the npm package of the client library into a folder. */
export function packClientLibrary(folder: string): void {
  const place = mkdtempSync(join(tmpdir(), 'container-stacks-client-'))
  try {
    buildClientLibrary(place)
    const file = join(place, 'package.json')
    const manifest = JSON.parse(readFileSync(file, 'utf8'))
    const text = JSON.stringify({ ...manifest, version: readManifest().version }, null, 2)
    writeFileSync(file, `${text}\n`)
    const words = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder]
    execFileSync('npm', words, { cwd: place, stdio: 'pipe' })
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}
