import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { paced } from '../../../local/harness/pace.ts'
import { type Built, buildPrograms } from '../../../local/programs/build.ts'
import {
  bytesFile,
  bytesText,
  disassemblyPage,
  pageText,
} from '../../../local/programs/generated.ts'
import { processors, programPackages } from '../../../local/programs/processors.mjs'
import { ensurePackages } from '../../../local/setup/packages.mjs'
import { present } from '../../testing/present.ts'
import { clearProgram, socketsProgram, unlinkProgram } from './programs.ts'

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
  const given = { unlink: unlinkProgram, clear: clearProgram, sockets: socketsProgram }
  expect(built).toHaveLength(3 * Object.keys(processors).length)
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

/** Listens on a socket at a path of any length. */
function listenIn(root: string, path: string) {
  const short = join(root, `.s${count++}`)
  const server = createServer()
  const listening = once(server, 'listening').then(() => renameSync(short, join(root, path)))
  server.listen(short)
  return { server, listening }
}
let count = 0

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

  /** Runs `sockets` for the directory `data`. Returns what it wrote. */
  const sockets = (given = ['/data', '/found']) => {
    writeFileSync(join(root, 'found'), '')
    const result = run(present(socketsProgram(processor)), processor, ...given)
    return { ...result, found: readFileSync(join(root, 'found'), 'utf8') }
  }

  test('sockets lists the sockets below a directory, and nothing else', async () => {
    const deep = `data/${'d/'.repeat(40)}end`
    for (const name of ['data/only', 'data/empty', deep]) {
      mkdirSync(join(root, name), { recursive: true })
    }
    writeFileSync(join(root, 'data/file.sock'), '')
    execFileSync('mkfifo', [join(root, 'data/fifo.sock')])
    symlinkSync('/elsewhere', join(root, 'data/link'))
    mkdirSync(join(root, 'elsewhere'))
    const paths = ['data/app.sock', 'data/only/ü\n.sock', `${deep}/s`, 'data/.hidden']
    const servers = [...paths, 'elsewhere/other.sock'].map((path) => listenIn(root, path))
    try {
      await Promise.all(servers.map((one) => one.listening))
      const { found, ...result } = sockets()
      expect(result).toEqual(ended(0))
      const names = paths.map((path) => path.slice('data/'.length))
      expect(found.split('\0').sort()).toEqual(['', ...names].sort())
    } finally {
      for (const { server } of servers) server.close()
    }
  })

  test('sockets counts more sockets than it names', async () => {
    mkdirSync(join(root, 'data'))
    const servers = Array.from({ length: 1003 }, (_, at) => listenIn(root, `data/${at}`))
    try {
      await Promise.all(servers.map((one) => one.listening))
      const names = sockets().found.split('\0').slice(0, -1)
      expect(names).toHaveLength(1003)
      expect(names.filter(Boolean)).toHaveLength(1000)
    } finally {
      for (const { server } of servers) server.close()
    }
  })

  test('sockets fails without a directory or a file for its list', () => {
    expect(sockets()).toMatchObject(ended(1))
    mkdirSync(join(root, 'data'))
    expect(sockets(['/data', '/missing'])).toMatchObject(ended(1))
    expect(sockets(['/data'])).toMatchObject(ended(1))
    expect(sockets([])).toMatchObject(ended(1))
  })

  test('clear fails without a list that it can read', () => {
    expect(clear('missing')).toEqual(ended(1))
    expect(clear()).toEqual(ended(1))
    mkdirSync(join(root, 'directory'))
    expect(clear('directory')).toEqual(ended(1))
  })
})
