import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import type { Io } from '../io.ts'
import { makePrinter } from './print.ts'
import { statusStyle } from './status-style.ts'

const rows = [
  { name: 'web', status: 'running' },
  { name: '漢字', status: '' },
  { name: 'a\u001b[2J', status: 'failed' },
]

function printed(terminal: object, env: Io['env'] = {}) {
  const stdout = Object.assign(new PassThrough(), terminal)
  const io: Io = { stdin: process.stdin, stdout, stderr: stdout, env, platform: 'linux', cwd: '/' }
  makePrinter(io).table(rows, [
    { head: 'NAME', text: (row) => row.name },
    { head: 'STATUS', text: (row) => row.status, style: statusStyle },
  ])
  return String(stdout.read())
}

test('aligns columns, prints a dash for no value and escapes control characters', () => {
  expect(printed({})).toBe(
    'NAME        STATUS\nweb         running\n漢字        -\na\\u001b[2J  failed\n',
  )
})

const cut = { status: 200, headers: { 'x-result-truncated': 'true' }, text: '["a"]' }

test.each([
  [cut, 'older ones: --until x', 'the list is truncated: there are more; older ones: --until x\n'],
  [cut, undefined, 'the list is truncated: there are more\n'],
  [{ ...cut, headers: {} }, 'older ones: --until x', null],
])('notes on standard error that a list was cut: %j, %j', (answer, rest, note) => {
  const structured = Object.assign(() => '["a"]\n', { separator: '' })
  for (const options of [{}, { structured }]) {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()]
    const io: Io = { stdin: process.stdin, stdout, stderr, env: {}, platform: 'linux', cwd: '/' }
    const print = makePrinter(io, options)
    print.reply(
      { value: ['a'], answer },
      () => print.line('a'),
      () => rest,
    )
    expect(stderr.read()?.toString() ?? null).toBe(note)
    expect(String(stdout.read())).toBe('structured' in options ? '["a"]\n' : 'a\n')
  }
})

test('uses colours on a terminal unless NO_COLOR or TERM=dumb is set', () => {
  expect(printed({ isTTY: true })).toContain('\u001b[32mrunning\u001b[39m')
  expect(printed({ isTTY: true }, { NO_COLOR: '1' })).toBe(printed({}))
  expect(printed({ isTTY: true }, { TERM: 'dumb' })).toBe(printed({}))
})

test('has a style for known statuses and none for others', () => {
  expect(statusStyle('exited (3)')).toBe('dim')
  expect(statusStyle('constructor')).toBeUndefined()
})
