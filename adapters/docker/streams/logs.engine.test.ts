import { afterAll, expect, test } from 'vitest'
import { docker } from '../../../local/harness/docker.ts'
import { removeFromEngine } from '../../../local/harness/remove-from-engine.ts'
import { unique } from '../../../local/harness/unique.ts'
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
