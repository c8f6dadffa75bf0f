import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import type { Deployment } from '../api/types.ts'
import type { Io } from '../io.ts'
import { makeProgress } from './deployment-progress.ts'
import { type ProgressMode, usualProgress } from './progress.ts'

type Step = Deployment['steps'][number]

const step = (
  name: string,
  status: Step['status'],
  ms: number | null = null,
  error = '',
): Step => ({
  action: 'start',
  kind: 'container',
  name,
  reason: 'no container',
  status,
  ms,
  error: error || null,
})

function screen(terminal: object, mode?: ProgressMode) {
  const stderr = Object.assign(new PassThrough(), terminal)
  const env = { NO_COLOR: '1' }
  const io: Io = { stdin: process.stdin, stdout: stderr, stderr, env, platform: 'linux', cwd: '/' }
  const progress = makeProgress(io, mode ?? usualProgress(io, false))
  return {
    show: (...steps: Step[]) => progress.show({ status: 'running', steps } as Deployment),
    away: (why: string) => progress.away(why),
    text: () => String(stderr.read() ?? ''),
  }
}

test('prints a line at the end of each step without a terminal', () => {
  const { show, text } = screen({})
  show(step('a', 'pending'), step('b', 'running'))
  show(step('a', 'running'), step('b', 'running'))
  expect(text()).toBe('')
  show(step('a', 'done', 1500), step('b', 'failed', 20, 'the port is taken'))
  show(step('a', 'done', 1500), step('b', 'failed', 20, 'the port is taken'))
  expect(text()).toBe(
    'started    container a (no container, 1.5 s)\n' +
      'failed     start container b (20 ms): the port is taken\n',
  )
})

/** The steps that replace a container. */
const replacing = (statuses: Step['status'][]): Step[] =>
  (
    [
      ['recreate', '0123456789ab_shop-web-1'],
      ['stop', 'shop-web-1'],
      ['remove', 'shop-web-1'],
      ['rename', '0123456789ab_shop-web-1'],
      ['start', 'shop-web-1'],
    ] as const
  ).map(([action, name], at) => ({
    ...step(name, statuses[at] ?? 'pending', statuses[at] === 'done' ? 100 : null),
    action,
    reason: 'image changed',
  }))

test('a container that is replaced in five steps is one line', () => {
  const { show, text } = screen({})
  show(...replacing(['running']))
  show(...replacing(['done', 'done', 'running']))
  expect(text()).toBe('')
  show(...replacing(['done', 'done', 'done', 'done', 'done']))
  expect(text()).toBe('recreated  container shop-web-1 (image changed, 500 ms)\n')
  const terminal = screen({ isTTY: true, columns: 80, rows: 24 })
  terminal.show(...replacing(['done', 'done']))
  expect(terminal.text()).toMatch(/^\S container shop-web-1 {2}recreating .*image changed/)
})

test('indents the further lines of an error, such as those of a build', () => {
  const { show, text } = screen({})
  show(step('a', 'failed', 20, 'the build failed\nStep 2/6 : RUN x\n\u001b[31mno\n'))
  expect(text()).toBe(
    'failed     start container a (20 ms): the build failed\n' +
      '           Step 2/6 : RUN x\n' +
      '           \\u001b[31mno\n',
  )
})

test('redraws in place on a terminal', () => {
  const { show, text } = screen({ isTTY: true, columns: 80, rows: 24 })
  show(step('a', 'done', 20), step('longer', 'pending'))
  expect(text()).toBe(
    '✔ container a       started         20 ms  no container\u001b[K\n' +
      '  container longer\u001b[K\n\u001b[J',
  )
  show(step('a', 'done', 20), step('longer', 'done', 5))
  expect(text()).toMatch(
    /^\u001b\[2A\r✔ container a .*\u001b\[K\n✔ container longer .*\u001b\[K\n\u001b\[J$/,
  )
})

test('fits the terminal in height and width', () => {
  const { show, text } = screen({ isTTY: true, columns: 40, rows: 10 })
  const many = Array.from({ length: 50 }, (_, at) =>
    step(`a-very-long-name-of-a-container-${at}`, at < 20 ? 'done' : 'running', 9),
  )
  show(...many)
  const lines = text()
    .replaceAll(/\u001b\[[KJ]/g, '')
    .trimEnd()
    .split('\n')
  expect(lines).toHaveLength(8)
  expect(lines.at(-1)).toBe('20 of 50 done')
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(40)
})

test('prints nothing on request', () => {
  const { show, text } = screen({ isTTY: true }, 'quiet')
  show(step('a', 'done', 1))
  expect(text()).toBe('')
})

test('prints each change as a line of JSON', () => {
  const { show, away, text } = screen({ isTTY: true }, 'json')
  show(step('a\u009b', 'running'))
  show(step('a\u009b', 'running'))
  show(step('a\u009b', 'done', 5))
  away('the service is away')
  const written = text()
  expect(written).not.toContain('\u009b')
  const lines = written.trimEnd().split('\n')
  expect(JSON.parse(lines[1] ?? '').name).toBe('a\u009b')
  expect(lines.map((line) => JSON.parse(line).status ?? JSON.parse(line).notice)).toEqual([
    ...['running', 'running', 'done'],
    'the service is away',
  ])
})

test('shows the reason for a silence as a line and removes it afterwards', () => {
  const { show, away, text } = screen({ isTTY: true, columns: 40, rows: 24 })
  show(step('a', 'running'))
  text()
  away('the service does not respond: retrying for up to a minute')
  expect(text()).toMatch(/\nthe service does not respond: retrying…\u001b\[K\n/)
  show(step('a', 'done', 1))
  expect(text()).toMatch(/^\u001b\[2A\r✔ container a /)
})
