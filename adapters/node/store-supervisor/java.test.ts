import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { requireJava } from './java.ts'

/** Replaces PATH by a directory with a `java` of this version, or with none. */
function pathWith(version?: string) {
  const directory = mkdtempSync(join(tmpdir(), 'container-stacks-java-'))
  vi.stubEnv('PATH', directory)
  onTestFinished(() => {
    vi.unstubAllEnvs()
    rmSync(directory, { recursive: true })
  })
  if (version === undefined) return
  writeFileSync(join(directory, 'java'), `#!/bin/sh\necho 'openjdk version "${version}"' >&2\n`)
  chmodSync(join(directory, 'java'), 0o755)
}

test('without Java the error says what to install', async () => {
  pathWith()
  await expect(requireJava()).rejects.toThrow(
    /none was found.*openjdk-17.*SERVICE_DYNAMODB_ENDPOINT/,
  )
})

test.each(['1.8.0_402', '11.0.22'])('rejects Java %s as too old', async (version) => {
  pathWith(version)
  await expect(requireJava()).rejects.toThrow(/found (8|11)\./)
})

test.each(['17.0.15', '21', '25-ea'])('accepts Java %s', async (version) => {
  pathWith(version)
  await requireJava()
})
