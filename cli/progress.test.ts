import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import type { Io } from './io.ts'
import { makeProgress } from './progress.ts'
import type { Deployment } from './records.ts'

type Step = Deployment['steps'][number]

const step = (name: string, status: Step['status'], ms: number | null = null): Step => ({
  action: 'start',
  kind: 'container',
  name,
  reason: 'no container',
  status,
  ms,
})

function screen(terminal: object, format: 'table' | 'json' = 'table') {
  const stderr = Object.assign(new PassThrough(), terminal)
  const env = { NO_COLOR: '1' }
  const io: Io = { stdin: process.stdin, stdout: stderr, stderr, env, platform: 'linux', cwd: '/' }
  const progress = makeProgress(io, format)
  return {
    show: (...steps: Step[]) => progress.show({ steps } as Deployment),
    away: (why: string) => progress.away(why),
    text: () => String(stderr.read() ?? ''),
  }
}

test('elsewhere than on a terminal each change of a step is a line', () => {
  const { show, text } = screen({})
  show(step('a', 'pending'), step('b', 'running'))
  show(step('a', 'running'), step('b', 'running'))
  show(step('a', 'done', 1500), step('b', 'failed', 20))
  expect(text()).toBe(
    'running  start container b (no container)\n' +
      'running  start container a (no container)\n' +
      'done     start container a (1.5 s)\n' +
      'failed   start container b (20 ms)\n',
  )
})

test('on a terminal the next picture takes the place of the last', () => {
  const { show, text } = screen({ isTTY: true, columns: 80, rows: 24 })
  show(step('a', 'done', 20), step('longer', 'pending'))
  expect(text()).toBe(
    '✔ start container a  no container       20 ms\n  start container longer  no container\n',
  )
  show(step('a', 'done', 20), step('longer', 'done', 5))
  expect(text()).toMatch(
    /^\u001b\[2A\r\u001b\[J✔ start container a .*\n✔ start container longer .*\n$/,
  )
})

test('no picture is higher or wider than the terminal', () => {
  const { show, text } = screen({ isTTY: true, columns: 40, rows: 10 })
  const many = Array.from({ length: 50 }, (_, at) =>
    step(`a-very-long-name-of-a-container-${at}`, at < 20 ? 'done' : 'running', 9),
  )
  show(...many)
  const lines = text().trimEnd().split('\n')
  expect(lines).toHaveLength(8)
  expect(lines.at(-1)).toBe('20 of 50 steps done')
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(40)
})

test('nothing when the answer alone is wanted', () => {
  const { show, text } = screen({}, 'json')
  show(step('a', 'running'))
  expect(text()).toBe('')
})

test('why nothing is heard is a line of the picture, and goes with it', () => {
  const { show, away, text } = screen({ isTTY: true, columns: 40, rows: 24 })
  show(step('a', 'running'))
  text()
  away('the service does not respond: retrying for up to a minute')
  expect(text()).toBe('the service does not respond: retrying…\n')
  show(step('a', 'done', 1))
  expect(text()).toMatch(/^\u001b\[2A\r\u001b\[J✔ start container a /)
})
