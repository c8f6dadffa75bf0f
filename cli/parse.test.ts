import { expect, test } from 'vitest'
import { parseArguments } from './parse.ts'

const usage = {
  args: '<name> [...services]',
  flags: {
    '--token <token>': '',
    '--tail <lines>': '',
    '--env-file <path>': '',
    '--overlay <...pair>': '',
    '-a, --all': '',
    '-h, --help': '',
  },
}
const parse = (argv: string[]) => parseArguments('stacks logs', argv, usage)

test.each(['0123', '1e3', '007', '0x10', 'true', '', ' ', 'a=b', '-x', '--all', 'Ünï', '-5'])(
  'keeps the value %j as typed',
  (value) => {
    expect(parse(['web', `--token=${value}`]).flags.token).toBe(value)
    expect(parse(['--', value]).args.name).toBe(value)
  },
)

test.each(['0123', '1e3', '', 'a=b', '-'])('keeps %j after a space and as a word', (value) => {
  expect(parse(['--tail', value, 'web']).flags.tail).toBe(value)
  expect(parse([value]).args.name).toBe(value)
})

test('a switch does not consume the next word', () => {
  expect(parse(['-a', '007', '1e3'])).toMatchObject({
    args: { name: '007', services: ['1e3'] },
    flags: { all: true },
  })
  expect(parse(['007']).flags.all).toBe(false)
})

test('accepts flags anywhere; after -- everything is a word', () => {
  const { args, flags } = parse(['--env-file', 'x', 'web', '--all', '--', '--tail', '-a'])
  expect(args).toEqual({ name: 'web', services: ['--tail', '-a'] })
  expect(flags).toMatchObject({ envFile: 'x', all: true })
})

test('a repeatable flag gives a list in order', () => {
  expect(parse(['w', '--overlay', '1=2', '--overlay=3']).flags.overlay).toEqual(['1=2', '3'])
  expect(parse(['w']).flags.overlay).toEqual([])
})

test('treats a switch whose name starts with "no" like any other', () => {
  const usage = { args: '', flags: { '--no-stream': '' } }
  expect(parseArguments('w', ['--no-stream'], usage).flags).toEqual({ noStream: true })
  expect(parseArguments('w', [], usage).flags).toEqual({ noStream: false })
})

test.each([
  [[], 'missing argument: <name>'],
  [['w', '--bogus'], 'unknown flag --bogus'],
  [['w', '-x'], 'unknown flag -x'],
  [['w', '--__proto__=1'], 'unknown flag --__proto__'],
  [['w', '--token.x=1'], 'unknown flag --token.x'],
  [['w', '--no-all'], 'unknown flag --no-all'],
  [['w', '--envFile', 'x'], 'unknown flag --envFile'],
  [['w', '--tail'], '--tail needs a value'],
  [['w', '--tail', '--all'], '--tail needs a value'],
  [['w', '--all=yes'], '--all does not accept a value'],
  [['w', '--tail', '1', '--tail', '2'], '--tail can be used only once'],
])('2: %j', (argv, message) => {
  expect(() => parse(argv)).toThrow(expect.objectContaining({ message, exitCode: 2 }))
})

test('2: too many arguments', () => {
  const error = expect.objectContaining({ message: 'too many arguments: "x"', exitCode: 2 })
  expect(() => parseArguments('whoami', ['x'], { args: '', flags: {} })).toThrow(error)
})
