import { expect, test } from 'vitest'
import { runClient } from '../local/harness/client.ts'
import { commands } from './commands.ts'

const run = (text: string, options = {}) =>
  runClient(text.split(' ').filter(Boolean), '/nonexistent', options)

test.each(['', '--help', '-h', 'help'])('0: `cli %s` lists every command', async (text) => {
  const { code, out, err } = await run(text)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  for (const words of Object.keys(commands)) expect(out).toContain(`  ${words} `)
})

test.each(['stacks --help', 'stack -h', 'help stacks'])(
  '0: `cli %s` lists a group',
  async (text) => {
    const { code, out } = await run(text)
    expect(code).toBe(0)
    expect(out).toContain('stacks deploy')
    expect(out).not.toContain('containers list')
  },
)

test.each(Object.keys(commands))(
  '0: `cli %s --help` needs neither arguments nor a server',
  async (words) => {
    const { code, out, err } = await run(`${words} --help`)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain(`Usage: cli ${words}`)
    expect(out).toContain('--output <format>')
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120)
  },
)

test.each([
  ['stacks', 'which command'],
  ['deploy shop', 'unknown command "deploy"'],
  ['stacks deply shop', 'unknown command "stacks deply"'],
  ['stacks constructor', 'unknown command "stacks constructor"'],
  ['constructor', 'unknown command "constructor"'],
  ['container start x', 'unknown command "containers start"'],
  ['whoami extra', 'too many arguments: "extra"'],
  ['stacks list --bogus', 'unknown flag --bogus'],
  ['--bogus stacks list', 'unknown flag --bogus'],
  ['stacks list --output yaml', 'must be json or table'],
  ['stacks list --output', '--output needs a value'],
  ['--bogus', 'which command'],
])('2: `cli %s`', async (text, said) => {
  const { code, out, err } = await run(text)
  expect(err).toContain(said)
  expect({ code, out }).toEqual({ code: 2, out: '' })
})

test('3: with neither server nor token the hint says how to log in', async () => {
  expect(await run('stacks list')).toEqual({
    code: 3,
    out: '',
    err: 'cli: no server is configured\n  run: cli login <url>\n',
  })
})

test('1: no connection is said in plain words', async () => {
  const env = { CLI_SERVER: 'http://127.0.0.1:9', CLI_TOKEN: 'x' }
  const { code, err } = await run('whoami', { env })
  expect(code).toBe(1)
  expect(err).toContain('cannot reach http://127.0.0.1:9: connection refused\n')
})

test('0: --version', async () => {
  expect((await run('--version')).out).toMatch(/^cli \d+\.\d+\.\d+\n$/)
})
