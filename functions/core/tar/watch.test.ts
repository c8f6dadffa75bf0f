import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pack } from 'tar-stream'
import { expect, test } from 'vitest'
import { flipBits } from '../../../local/harness/flip-bits.ts'
import { tarFiles } from './watch.ts'

function count(archive: Uint8Array, step: number): number {
  const files = tarFiles()
  for (let at = 0; at < archive.length; at += step) files.see(archive.subarray(at, at + step))
  if (!files.ended()) throw new Error('cut short')
  return files.files()
}

async function packed(entries: { name: string; type?: 'file' | 'directory'; size?: number }[]) {
  const archive = pack()
  for (const { name, type = 'file', size = 10 } of entries) {
    archive.entry({ name, type }, Buffer.alloc(type === 'file' ? size : 0, 1))
  }
  archive.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of archive) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

test('counts regular files, for any chunk size, file size and length of names', async () => {
  const archive = await packed([
    { name: 'a', type: 'directory' },
    { name: 'a/none', size: 0 },
    { name: 'a/block', size: 512 },
    { name: `a/${'long/'.repeat(60)}ü`, size: 513 },
    { name: 'a/large', size: 100_000 },
  ])
  for (const step of [1, 7, 512, 1000, archive.length]) expect(count(archive, step)).toBe(4)
})

test.each(['gnu', 'pax', 'ustar'])('counts the files in archives of GNU tar: %s', (format) => {
  const directory = mkdtempSync('/tmp/tar-files-')
  try {
    const deep = join(directory, 'x'.repeat(90), 'y'.repeat(90))
    mkdirSync(deep, { recursive: true })
    for (const name of ['one', 'two', 'ä ö', 'z'.repeat(9)]) writeFileSync(join(deep, name), name)
    symlinkSync('one', join(deep, 'link'))
    const archive = execFileSync('tar', ['-c', `--format=${format}`, '-C', directory, '.'])
    expect(count(archive, 1000)).toBe(4)
  } finally {
    rmSync(directory, { recursive: true })
  }
})

test.each(['gnu', 'pax', 'ustar'])('reports paths as they are, also no UTF-8: %s', (format) => {
  const directory = mkdtempSync('/tmp/tar-paths-')
  try {
    const bytes = Buffer.from('bad \xff\xfe', 'latin1')
    const deep = `${'x'.repeat(90)}/${'y'.repeat(60)}`
    mkdirSync(join(directory, deep), { recursive: true })
    writeFileSync(Buffer.concat([Buffer.from(`${directory}/`), bytes]), '')
    writeFileSync(Buffer.concat([Buffer.from(`${directory}/${deep}/`), bytes]), '')
    for (const name of ['ä ö', ' new\nline\\ ', '-rf']) writeFileSync(join(directory, name), '')
    const archive = execFileSync('tar', ['-c', `--format=${format}`, '-C', directory, '.'])
    const paths: Buffer[] = []
    const files = tarFiles((path) => paths.push(path))
    for (let at = 0; at < archive.length; at += 100) files.see(archive.subarray(at, at + 100))
    const found = paths.map((path) => path.toString('latin1')).sort()
    const listed = execFileSync('find', ['.', '-printf', '%p%y\\0'], { cwd: directory })
    const wanted = listed.toString('latin1').split('\0').filter(Boolean).map(asInArchive).sort()
    expect(found).toEqual(wanted)
  } finally {
    rmSync(directory, { recursive: true })
  }
})

/** Returns the path of an archive for a path and its type: directories end with a slash. */
const asInArchive = (found: string) => found.slice(0, -1) + (found.endsWith('d') ? '/' : '')

test('reads sizes above 8 GiB in base 256 and from pax headers', async () => {
  const size = 9 * 1024 ** 3
  for (const format of ['gnu', 'pax']) {
    // GNU tar writes the headers. The content is only simulated, with zeros.
    const script = `truncate -s ${size} big && tar -c --format=${format} big 2>/dev/null | head -c 4096`
    const directory = mkdtempSync('/tmp/tar-files-')
    try {
      const head = execFileSync('bash', ['-c', script], { cwd: directory })
      const headerBytes = format === 'gnu' ? 512 : 1536
      const files = tarFiles()
      files.see(head.subarray(0, headerBytes))
      const zeros = new Uint8Array(64 * 1024 * 1024)
      for (let seen = 0; seen < size; seen += zeros.length) files.see(zeros)
      files.see(await packed([{ name: 'after' }]))
      expect([files.ended(), files.files()]).toEqual([true, 2])
    } finally {
      rmSync(directory, { recursive: true })
    }
  }
})

test.each(['gnu', 'pax'])('finds times that an Engine cannot set: %s', (format) => {
  const directory = mkdtempSync('/tmp/tar-times-')
  try {
    const long = 'x'.repeat(120)
    const times = { a: '1970-01-01', old: '1901-01-01', [long]: '2300-01-01', z: '2262-04-11' }
    for (const [name, time] of Object.entries(times)) {
      writeFileSync(join(directory, name), name)
      execFileSync('touch', ['-d', `${time} 00:00:00 UTC`, join(directory, name)])
    }
    symlinkSync('old', join(directory, 'link'))
    execFileSync('touch', ['-h', '-d', '1901-01-01', join(directory, 'link')])
    const names = ['a', 'old', long, 'z', 'link']
    const archive = execFileSync('tar', ['-c', `--format=${format}`, '-C', directory, ...names])
    const files = tarFiles()
    for (let at = 0; at < archive.length; at += 100) files.see(archive.subarray(at, at + 100))
    expect([files.ended(), files.lostTimes()]).toEqual([true, { count: 2, first: 'old' }])
    const last = tarFiles()
    const only = execFileSync('tar', ['-c', `--format=${format}`, '-C', directory, 'a', 'z'])
    last.see(only)
    expect(last.lostTimes()).toEqual({ count: 0, first: '' })
  } finally {
    rmSync(directory, { recursive: true })
  }
})

test('detects an archive truncated at any position', async () => {
  const archive = await packed([{ name: 'one', size: 700 }, { name: 'two' }])
  for (const length of [0, 1, 511, 512, 600, 1024, 1536, 2048, archive.length - 513]) {
    expect(() => count(archive.subarray(0, length), 100), String(length)).toThrow('cut short')
  }
})

test('rejects data that is not a tar archive', async () => {
  const archive = await packed([{ name: 'one', size: 700 }, { name: 'two' }])
  const flipped = Buffer.from(archive)
  flipBits(flipped, 3, 1)
  const gap = Buffer.concat([Buffer.alloc(512), archive])
  for (const other of [Buffer.alloc(2000, 'text'), flipped, gap]) {
    expect(() => count(other, 512)).toThrow('not a tar archive')
  }
})
