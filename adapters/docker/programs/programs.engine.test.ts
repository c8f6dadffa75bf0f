import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { paced } from '../../../local/harness/pace.ts'
import { present } from '../../../local/harness/present.ts'
import { type Built, buildPrograms } from '../../../local/programs/build.ts'
import {
  bytesFile,
  bytesText,
  disassemblyPage,
  pageText,
} from '../../../local/programs/generated.ts'
import { processors, programPackages } from '../../../local/programs/processors.mjs'
import { ensurePackages } from '../../../local/setup/packages.mjs'
import { clearProgram, unlinkProgram } from './programs.ts'

let built: Built[]
let root: string

beforeAll(() => {
  expect(ensurePackages(programPackages, 'the programs')).toBe(true)
  built = buildPrograms()
}, paced(300_000))
beforeEach(() => {
  root = mkdtempSync('/tmp/programs-')
})
afterEach(() => rmSync(root, { recursive: true }))

test('the sources give the committed bytes (update with npm run programs)', () => {
  expect(readFileSync(bytesFile, 'utf8')).toBe(bytesText(built))
  const given = { unlink: unlinkProgram, clear: clearProgram }
  expect(built).toHaveLength(2 * Object.keys(processors).length)
  for (const { name, processor, bytes } of built) {
    expect(given[name as keyof typeof given](processor)?.equals(bytes), name).toBe(true)
  }
})

test('the page shows the disassembly of the committed bytes', () => {
  const page = readFileSync(disassemblyPage, 'utf8')
  expect(page).toBe(pageText(page, built))
})

test('processors go by the names of Docker and of Linux, others have no programs', () => {
  expect(unlinkProgram('x86_64')).toBe(unlinkProgram('amd64'))
  expect(clearProgram('aarch64')).toBe(clearProgram('arm64'))
  expect(unlinkProgram('arm64')).not.toEqual(unlinkProgram('amd64'))
  expect(clearProgram('riscv64')).toBeUndefined()
})

/** Runs a program in a root directory with nothing but what the test put there. Needs root. */
function run(program: Buffer, processor: keyof typeof processors, ...options: string[]) {
  const { node, emulator } = processors[processor]
  const emulated = process.arch !== node
  const files = ['.program', ...(emulated ? ['.emulator'] : [])]
  writeFileSync(join(root, '.program'), program, { mode: 0o755 })
  if (emulated) copyFileSync(`/usr/bin/${emulator}`, join(root, '.emulator'))
  const command = [root, ...files.reverse().map((file) => `/${file}`), ...options]
  const { status, signal, stderr, error } = spawnSync('chroot', command, { encoding: 'utf8' })
  for (const file of files) rmSync(join(root, file))
  return { status, signal, stderr, error }
}

const ended = (status: number) => ({ status, signal: null, stderr: '', error: undefined })
const list = (...paths: string[]) =>
  writeFileSync(join(root, 'list'), `${paths.map((path) => `${path}\0`).join('')}\0`)
const left = () => readdirSync(root, { recursive: true }).map(String).sort()

describe.each(Object.keys(processors) as (keyof typeof processors)[])('%s', (processor) => {
  const unlink = (...paths: string[]) => run(present(unlinkProgram(processor)), processor, ...paths)
  const clear = (...paths: string[]) => run(present(clearProgram(processor)), processor, ...paths)

  test('unlink deletes the named files and links, and skips what it cannot delete', () => {
    mkdirSync(join(root, 'directory'))
    for (const name of ['a', 'b c', 'kept', 'directory/d']) writeFileSync(join(root, name), '')
    symlinkSync('kept', join(root, 'link'))
    expect(unlink('/a', 'missing', 'directory', 'link', 'b c', '/directory/d')).toEqual(ended(0))
    expect(left()).toEqual(['directory', 'kept'])
  })

  test('unlink without arguments deletes nothing', () => {
    writeFileSync(join(root, 'a'), '')
    expect(unlink()).toEqual(ended(0))
    expect(left()).toEqual(['a'])
  })

  test('clear deletes the listed files and directories in order, and keeps full ones', () => {
    for (const name of ['full', 'empty', 'gone/deep']) {
      mkdirSync(join(root, name), { recursive: true })
    }
    for (const name of ['a\nb', 'full/x', 'gone/deep/y']) writeFileSync(join(root, name), '')
    symlinkSync('/full', join(root, 'link'))
    list('a\nb', 'missing', 'empty', 'full', 'gone/deep/y', 'gone/deep', 'gone', 'link', 'list')
    expect(clear('/list')).toEqual(ended(0))
    expect(left()).toEqual(['full', 'full/x'])
  })

  test('clear reads a list of many pages', () => {
    const names = Array.from({ length: 2000 }, (_, number) => `${'long-name-'.repeat(12)}${number}`)
    for (const name of names) writeFileSync(join(root, name), '')
    list(...names)
    expect(clear('list')).toEqual(ended(0))
    expect(left()).toEqual(['list'])
  })

  test('clear fails without a list that it can read', () => {
    expect(clear('missing')).toEqual(ended(1))
    expect(clear()).toEqual(ended(1))
    mkdirSync(join(root, 'directory'))
    expect(clear('directory')).toEqual(ended(1))
  })
})
