import { basename, dirname } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { removeFromEngine } from '../../../local/harness/remove-from-engine.ts'
import { unique } from '../../../local/harness/unique.ts'
import { docker } from '../../testing/docker.ts'
import { dockerEngine } from '../engine.ts'
import { transportFrom } from '../transport/connect.ts'

const prefix = unique('logs')
const transport = transportFrom(process.env)
const engine = dockerEngine({ transport, host: 'local', stacksDirectory: '/tmp' })
afterAll(async () => {
  await engine.close()
  await removeFromEngine(prefix)
})

/** Prints what the Engine splits, replaces or could take for something else. */
const program = [
  'head -c 40000 /dev/zero | tr "\\0" x; echo',
  'head -c 16383 /dev/zero | tr "\\0" y; printf "€"; head -c 100 /dev/zero | tr "\\0" z; echo',
  'printf "a\\rb\\rc\\n"',
  'printf "\\033[31mred\\033[0m\\n"',
  'echo',
  'printf "nul \\000 end\\n"',
  'echo "2026-01-01T00:00:00.000000000Z no time of the Engine"',
  'printf end',
].join('; ')

test.each([
  ['without a terminal', 'plain', []],
  ['with a terminal', 'terminal', ['--tty']],
])('lines of a container %s are those of docker logs', async (_, suffix, flags) => {
  const name = `${prefix}${suffix}`
  docker('run', ...flags, '--name', name, 'busybox:latest', 'sh', '-c', program)
  const printed = docker('logs', name).replaceAll('\r\n', '\n')
  const lines = (await engine.logs(name, { tail: 100 })).map(({ line }) => line)
  expect(lines.join('\n').trim()).toBe(printed)
  expect(lines.at(-1)).toBe('end')
  expect(lines).toHaveLength(8)
  const last = await engine.logs(name, { tail: 3 })
  expect(last.map(({ line }) => line)).toEqual(lines.slice(-3))
})

/** Prints 900 numbers in half a minute, then its last line, and goes on without a word. */
const counting =
  'i=0; while [ $i -lt 900 ]; do i=$((i+1)); echo "$i xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"; ' +
  'usleep 20000; done; echo end; exec sleep 600'
const files = (driver: string, size: string, count: string, ...more: string[]) => [
  ...['--log-driver', driver, '--log-opt', `max-size=${size}`, '--log-opt', `max-file=${count}`],
  ...more,
]

test.each([
  ['one file', 'one', files('json-file', '8k', '1')],
  ['compressed files', 'many', files('json-file', '8k', '3', '--log-opt', 'compress=true')],
  ['the driver local', 'local', files('local', '8k', '2')],
])('a follower of a log in %s, which rotates all the time, reaches its end', async (...row) => {
  const [, suffix, flags] = row
  const name = `${prefix}${suffix}`
  docker('run', '-d', '--init', ...flags, '--name', name, 'busybox:latest', 'sh', '-c', counting)
  const numbers: number[] = []
  const notes: string[] = []
  const stop = new AbortController()
  const late = setTimeout(() => stop.abort(new Error(`read up to ${numbers.at(-1)}`)), 150_000)
  for await (const lines of engine.followLogs(name, { tail: 'all', follow: true }, stop.signal)) {
    for (const { line } of lines) {
      if (/^\d+ x+$/.test(line)) numbers.push(Number.parseInt(line, 10))
      else notes.push(line)
    }
    if (notes.includes('end')) break
  }
  clearTimeout(late)
  expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other))
  expect(numbers.at(-1)).toBe(900)
  expect(notes.filter((one) => !one.startsWith('[lines are missing here'))).toEqual(['end'])
  docker('rm', '-f', name)
})

test('a follower goes on after its file was emptied by hand', async () => {
  const name = `${prefix}emptied`
  const filler = 'head -c 100000 /dev/zero | tr "\\0" x | fold -w 1000'
  const script = `${filler}; echo; echo ready; i=0; while true; do i=$((i+1)); sleep 1; echo later $i; done`
  docker('run', '-d', '--init', '--name', name, 'busybox:latest', 'sh', '-c', script)
  const stop = new AbortController()
  const late = setTimeout(() => stop.abort(new Error('nothing after it was emptied')), 120_000)
  const shown: string[] = []
  let isEmptied = false
  for await (const lines of engine.followLogs(name, { tail: 'all', follow: true }, stop.signal)) {
    shown.push(...lines.map(({ line }) => line).filter((line) => !line.startsWith('x')))
    if (!isEmptied && shown.includes('ready')) {
      isEmptied = true
      const path = docker('inspect', '-f', '{{.LogPath}}', name)
      docker(
        'run',
        '--rm',
        '-v',
        `${dirname(path)}:/l`,
        'busybox',
        'truncate',
        '-s',
        '0',
        `/l/${basename(path)}`,
      )
      shown.splice(0)
    } else if (isEmptied && shown.filter((line) => line.startsWith('later')).length > 5) break
  }
  clearTimeout(late)
  const later = shown.filter((line) => line.startsWith('later')).map((line) => line.slice(6))
  expect(later).toEqual([...new Set(later)].sort((one, other) => Number(one) - Number(other)))
  const last = await engine.logs(name, { tail: 2 })
  expect(last.map(({ line }) => line)).toEqual(Array(2).fill(expect.stringMatching(/^later/)))
  docker('rm', '-f', name)
})
