import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loopbackDialer } from '../../local/harness/outbound.ts'
import {
  backupTargetsContract,
  inPieces,
  neverAborted,
  readAll,
} from '../testing/contract/backup-targets.ts'
import { backupTargets } from './targets.ts'

let directory: string
beforeAll(() => {
  directory = mkdtempSync('/tmp/local-target-')
})
afterAll(() => rmSync(directory, { recursive: true }))

const targets = () => backupTargets({ directory, dialer: loopbackDialer() })
const open = (path: string) => targets().open({ kind: 'local', path })
const text = (content: string) => inPieces(Buffer.from(content))

describe('a directory as target', () => {
  backupTargetsContract(() => open(randomBytes(6).toString('hex')), { many: 400 })
})

test('directories are 0700 and files 0600, whatever the umask', async () => {
  const mask = process.umask(0)
  try {
    const place = await open('modes')
    await place.put('job/run/one', text('one'), neverAborted())
  } finally {
    process.umask(mask)
  }
  const mode = (path: string) => statSync(join(directory, path)).mode & 0o777
  expect(['modes', 'modes/job', 'modes/job/run'].map(mode)).toEqual([0o700, 0o700, 0o700])
  expect(mode('modes/job/run/one')).toBe(0o600)
})

test('500: the disk is full: removes the partial object and keeps the others', async () => {
  const small = join(directory, 'small')
  mkdirSync(small)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', small])
  try {
    const place = await open(small)
    await place.put('job/old/one', inPieces(randomBytes(1_000_000)), neverAborted())
    const put = place.put('job/new/two', inPieces(randomBytes(6_000_000)), neverAborted())
    await expect(put).rejects.toMatchObject({
      status: 500,
      message: `The directory ${small} is full`,
    })
    expect(readdirSync(join(small, 'job'))).toEqual(['old'])
    await place.put('job/new/two', inPieces(randomBytes(2_000_000)), neverAborted())
    expect(await place.list('job')).toHaveLength(2)
  } finally {
    execFileSync('umount', [small])
  }
})

test('lists and removes what a killed process left', async () => {
  const place = await open('left')
  await place.put('job/run/one', text('one'), neverAborted())
  writeFileSync(join(directory, 'left/job/run/.two.0123456789ab.part'), 'half')
  const left = await place.list('job')
  expect(left.map(({ name }) => name)).toEqual(['job/run/.two.0123456789ab.part', 'job/run/one'])
  await place.remove(left.map(({ name }) => name))
  expect(existsSync(join(directory, 'left/job'))).toBe(false)
})

test('does not follow or list symbolic links', async () => {
  const place = await open('links')
  await place.put('job/run/one', text('one'), neverAborted())
  const outside = mkdtempSync(join(directory, 'outside-'))
  writeFileSync(join(outside, 'secret'), 'secret')
  symlinkSync(outside, join(directory, 'links/job/out'))
  symlinkSync(join(outside, 'secret'), join(directory, 'links/job/run/two'))
  expect(await place.list('job')).toEqual([{ name: 'job/run/one', bytes: 3 }])
  await expect(place.get('job/out/secret')).rejects.toThrow('a symbolic link leads elsewhere')
  await expect(place.get('job/run/two').then(readAll)).rejects.toThrow('has a symbolic link')
  await expect(place.put('job/out/new', text('x'), neverAborted())).rejects.toThrow(
    'a symbolic link leads',
  )
  await expect(place.remove(['job/out/secret'])).rejects.toThrow('a symbolic link leads elsewhere')
  await expect(place.list('job/out')).rejects.toThrow('a symbolic link leads elsewhere')
  expect(readdirSync(outside)).toEqual(['secret'])
  await place.put('job/run/two', text('two'), neverAborted())
  expect((await readAll(await place.get('job/run/two'))).toString()).toBe('two')
  expect(readdirSync(outside)).toEqual(['secret'])
})

test('a configured directory must exist; one in the data directory is created', async () => {
  const path = join(directory, 'none')
  await expect(open(path)).rejects.toMatchObject({
    status: 500,
    message: `The directory ${path} does not exist`,
  })
  expect(existsSync(path)).toBe(false)
  writeFileSync(join(directory, 'file'), '')
  await expect(open(join(directory, 'file'))).rejects.toThrow('is not a directory')
  for (const out of ['..', '../other', 'a/../../b']) {
    await expect(open(out), out).rejects.toMatchObject({ status: 422 })
  }
  await open('')
  expect(targets().location({ kind: 'local', path: 'nightly' }, 'job/run')).toBe(
    `${directory}/nightly/job/run`,
  )
})

test('500: the target disappears during a run', async () => {
  const gone = join(directory, 'gone')
  mkdirSync(gone)
  const place = await open(gone)
  async function* content() {
    yield randomBytes(100_000)
    rmSync(gone, { recursive: true })
    yield randomBytes(100_000)
  }
  await expect(place.put('job/run/one', content(), neverAborted())).rejects.toMatchObject({
    status: 500,
    message: `The directory ${gone} does not exist`,
  })
  expect(existsSync(gone)).toBe(false)
})
