import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { bundleProgram } from '../executables/bundle.ts'
import { packInto } from '../npm/pack.ts'
import { writeArchive } from './archive.ts'
import { licencesOf, packageOf } from './licences.ts'
import { notesOf } from './notes.ts'
import { billOfMaterials } from './sbom.ts'
import { bundledInputs } from './shipped.ts'
import { sumsOf, writeSums } from './sums.ts'

/** Returns an empty folder that lasts as long as the test. */
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'release-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const time = 1_795_000_000

test('two runs write the same npm package, archive and list of packages', async () => {
  const run = async () => {
    const folder = newFolder()
    packInto(folder)
    const { script, inputs } = await bundleProgram('cli/main.ts')
    const source = join(folder, 'script')
    writeFileSync(source, script)
    const entries = [{ name: 'cli', source, mode: 0o755 }]
    await writeArchive(join(folder, 'cli.tar.gz'), entries, time)
    writeFileSync(join(folder, 'licences'), licencesOf(inputs))
    const shipped = { bundled: new Set(['preact']), nodeVersions: ['26.0.0'] }
    writeFileSync(join(folder, 'sbom.cdx.json'), billOfMaterials(shipped, time))
    writeSums(folder)
    return readFileSync(join(folder, 'SHA256SUMS'), 'utf8')
  }
  const first = await run()
  expect(first.trim().split('\n')).toHaveLength(5)
  expect(await run()).toBe(first)
})

test('the names of bundled files do not depend on the folder of the clone', async () => {
  const inputs = await bundledInputs()
  expect(inputs.filter((path) => /^([^:/]*:)?\//.test(path))).toEqual([])
})

test('sha256sum accepts the sums, and rejects a changed file', () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'b'), 'two')
  writeFileSync(join(folder, 'a'), 'one')
  writeSums(folder)
  expect(sumsOf(folder).map(([name]) => name)).toEqual(['a', 'b'])
  const check = () => execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: folder })
  expect(String(check())).toBe('a: OK\nb: OK\n')
  writeFileSync(join(folder, 'a'), 'other')
  expect(check).toThrow()
})

test('an archive has the modes, the owner and the time that it was given', async () => {
  const folder = newFolder()
  const source = join(folder, 'source')
  writeFileSync(source, '#!/bin/sh\n')
  const archive = join(folder, 'a.tar.gz')
  await writeArchive(archive, [{ name: 'cli', source, mode: 0o755 }], time)
  const list = execFileSync('tar', ['-tvzf', archive, '--utc'], { encoding: 'utf8' })
  expect(list).toMatch(/^-rwxr-xr-x root\/root +10 2026-11-18 /)
})

test('the list of packages has what is shipped, with its versions, and no tools', () => {
  const shipped = { bundled: new Set(['preact']), nodeVersions: ['26.10.0'] }
  const bom = JSON.parse(billOfMaterials(shipped, time))
  const names = bom.components.map((one: { name: string }) => one.name)
  expect(names).toEqual(expect.arrayContaining(['ws', 'hono', 'preact', 'node']))
  expect(names).not.toContain('vitest')
  expect(names).not.toContain('uplot')
  expect(bom.metadata.component.name).toBe('container-stacks')
  expect(bom.metadata.timestamp).toBe('2026-11-18T11:06:40.000Z')
  expect(bom.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
})

test('the licences of all bundled packages are in the executables', () => {
  const text = licencesOf(['node_modules/ws/lib/a.js', 'cli/main.ts', 'node_modules/ws/b.js'])
  expect(text.match(/^ws [\d.]+ \(MIT\)$/gm)).toHaveLength(1)
  expect(text).toContain('Permission is hereby granted')
  expect(packageOf('node_modules/@a/b/c.js')).toBe('node_modules/@a/b')
  expect(packageOf('x:node_modules/a/node_modules/b/c.js')).toBe('node_modules/a/node_modules/b')
})

test('the notes of a release are its section of the changelog', () => {
  const text =
    '# Changelog\n\n## [Unreleased]\n\n- c\n\n## [0.1.1] - 2026\n\n- b\n\n## 0.1.0\n\n- a\n'
  expect(notesOf('0.1.0', text)).toBe('- a')
  expect(notesOf('0.1.1', text)).toBe('- b')
  expect(() => notesOf('0.1', text)).toThrow('no section 0.1')
})
