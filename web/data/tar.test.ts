import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { tarParts } from './tar.ts'

const folder = mkdtempSync(join(tmpdir(), 'tar-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('tar unpacks it: contents, modes, and paths of any length', async () => {
  const long = `${'directory/'.repeat(20)}ä.txt`
  const files = [
    { path: 'compose.yaml', file: new Blob(['services: {}\n']), mode: 0o644 },
    { path: 'bin/start.sh', file: new Blob(['x'.repeat(1024)]), mode: 0o755 },
    { path: 'empty', file: new Blob([]), mode: 0o600 },
    { path: long, file: new Blob(['long']), mode: 0o644 },
  ]
  const archive = join(folder, 'a.tar')
  writeFileSync(archive, Buffer.from(await new Blob(tarParts(files)).arrayBuffer()))
  execFileSync('tar', ['xf', archive, '-C', folder])
  for (const { path, file, mode } of files) {
    expect(readFileSync(join(folder, path), 'utf8')).toBe(await file.text())
    expect(statSync(join(folder, path)).mode & 0o777).toBe(mode)
  }
})
