import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import type { BackupRun } from '../api/types.ts'
import { makeRunProgress } from './backup-run-progress.ts'
import type { ProgressMode } from './progress.ts'

function screen(mode: ProgressMode) {
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 24 })
  const env = { NO_COLOR: '1' }
  const io = { stdin: process.stdin, stdout: stderr, stderr, env, platform: 'linux', cwd: '/' }
  const progress = makeRunProgress(io, mode)
  return {
    show: (part: string | null, done: number, bytes: number, status = 'running') =>
      progress.show({
        id: '7',
        kind: 'backup',
        status,
        error: null,
        progress: { part, done, parts: 2, bytes, stored_bytes: bytes / 2 },
      } as BackupRun),
    away: (why: string) => progress.away(why),
    text: () => String(stderr.read() ?? ''),
    last: () =>
      String(stderr.read() ?? '')
        .split(/\u001b\[\d+A\r/)
        .at(-1) ?? '',
  }
}

test('draws a line for each part, with its own size', () => {
  const { show, last } = screen('tty')
  show(null, 0, 0)
  show('volume shop_data\u001b[2J', 0, 1000)
  show('volume shop_data\u001b[2J', 0, 3000)
  show('stack shop', 1, 5000)
  const lines = last().replaceAll('\u001b[K', '').replace('\u001b[J', '').trimEnd().split('\n')
  expect(lines).toEqual([
    expect.stringMatching(/^✔ volume shop_data\\u001b\[2J {2}4\.0 kB {2}\d+ ms$/),
    expect.stringMatching(/^\S stack shop {2}0 B {2}/),
    expect.stringMatching(/^ {2}2 of 2 {2}5\.0 kB read, 2\.5 kB stored/),
  ])
  show(null, 2, 6000, 'succeeded')
  expect(last()).toMatch(/✔ stack shop {2}1\.0 kB/)
})

test('says why there is no progress, below the parts', () => {
  const { show, away, last } = screen('tty')
  show('stack shop', 0, 0)
  away('the service is away')
  expect(last()).toMatch(/stack shop.*\n.*\nthe service is away/)
})

test('prints parts as lines, as JSON, or nothing', () => {
  const plain = screen('plain')
  for (const size of [0, 10]) plain.show('stack shop', 0, size)
  plain.show('volume a', 1, 20)
  expect(plain.text()).toBe('1 of 2  stack shop\n2 of 2  volume a\n')
  const json = screen('json')
  for (const size of [10, 10, 20]) json.show('stack shop', 0, size)
  expect(
    json
      .text()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).bytes),
  ).toEqual([10, 20])
  const quiet = screen('quiet')
  quiet.show('stack shop', 0, 0)
  expect(quiet.text()).toBe('')
})
