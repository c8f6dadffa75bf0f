import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runClient } from '../local/harness/client.ts'
import { sections } from './command-sections.ts'
import { findWords } from './command-words.ts'
import { commands, groups, longer } from './commands.ts'
import { unknownCommand } from './suggest/commands.ts'

/** A home without a configuration. It exists, because the executable is started in it. */
const home = mkdtempSync(join(tmpdir(), 'container-stacks-home-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

const run = (text: string, options = {}) =>
  runClient(text.split(' ').filter(Boolean), home, options)

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
  ['deploy shop', 'unknown command "deploy"\n  did you mean `cli stacks deploy`?'],
  ['stacks deply shop', 'unknown command "stacks deply"\n  did you mean `cli stacks deploy`?'],
  ['stack begin shop', 'unknown command "stacks begin"'],
  ['hosts up', 'unknown command "hosts up"'],
  ['stakcs deply', 'did you mean `cli stacks deploy`?'],
  ['whomai', 'did you mean `cli whoami`?'],
  ['hosts nonsense', 'run: cli hosts --help'],
  ['contexts nonsense', 'its commands: contexts list, contexts use, contexts delete'],
  ['xyz', 'run: cli --help'],
  ['stacks constructor', 'unknown command "stacks constructor"'],
  ['constructor', 'unknown command "constructor"'],
  ['container start x', 'unknown command "containers start"'],
  ['whoami extra', 'too many arguments: "extra"'],
  ['stacks list --bogus', 'unknown flag --bogus'],
  ['--bogus stacks list', 'unknown flag --bogus'],
  ['stacks list -x', 'unknown flag -x\n  run: cli stacks list --help'],
  ['stacks list --output xml', 'must be table, json, yaml or name'],
  ['stacks list --outptu json', 'did you mean --output?'],
  ['stacks list --json', '--json needs a value'],
  ['stacks list --json ,', '--json: name the fields'],
  ['stacks list --json name --output yaml', '--json and --output yaml: use only one'],
  ['stacks list --jq . -q', '--jq and --quiet: use only one'],
  ['stacks list -q --output json', '--quiet and --output json: use only one'],
  ['stacks list --filter running', '--filter "running": must be a field and a value'],
  ['stacks deploy shop --wide', 'unknown flag --wide'],
  ['stacks list --output', '--output needs a value'],
  ['--bogus', 'which command'],
])('2: `cli %s`', async (text, said) => {
  const { code, out, err } = await run(text)
  expect(err).toContain(said)
  expect({ code, out }).toEqual({ code: 2, out: '' })
})

test.each([
  ['output', '--output "": must be table, json, yaml or name'],
  ['json', '--json: name the fields to print'],
  ['jq', '--jq is empty'],
])('2: an empty --%s is not the default', async (flag, said) => {
  for (const argv of [[`--${flag}=`], [`--${flag}`, '']]) {
    const { code, out, err } = await runClient(['stacks', 'list', ...argv], home)
    expect(err).toContain(said)
    expect({ code, out }).toEqual({ code: 2, out: '' })
  }
})

test('3: without server and token, the hint says how to log in', async () => {
  expect(await run('stacks list')).toEqual({
    code: 3,
    out: '',
    err: 'cli: no server is configured\n  run: cli login <url>\n',
  })
})

test('1: reports a failed connection in plain words', async () => {
  const env = { CLI_SERVER: 'http://127.0.0.1:9', CLI_TOKEN: 'x' }
  const { code, err } = await run('whoami', { env })
  expect(code).toBe(1)
  expect(err).toContain('cannot reach http://127.0.0.1:9: connection refused\n')
})

test.each(['--version', '-v'])('0: %s', async (flag) => {
  expect((await run(flag)).out).toMatch(/^cli \d+\.\d+\.\d+\n$/)
})

test.each([
  ['ls', 'stacks list'],
  ['ps', 'containers list'],
  ['up', 'stacks deploy'],
  ['stack up', 'stacks deploy'],
  ['stack show', 'stacks get'],
  ['host describe', 'hosts get'],
  ['stack ls', 'stacks list'],
  ['stack ps', 'stacks status'],
  ['container ps', 'containers list'],
  ['image rm', 'images delete'],
  ['host remove', 'hosts delete'],
  ['host enroll', 'hosts enrol'],
])('0: `cli %s` is `cli %s`', async (short, words) => {
  expect((await run(`${short} --help`)).out).toBe((await run(`${words} --help`)).out)
})

const removals = Object.keys(commands).filter((words) => / (delete|revoke|prune|trim)$/.test(words))

test('2: everything that deletes or revokes needs --yes without a terminal to ask on', async () => {
  expect(removals.length).toBeGreaterThanOrEqual(12)
  for (const words of removals) {
    const loaded = await commands[words]?.load()
    const count = loaded?.default.args?.split(' ').filter(Boolean).length ?? 0
    const { code, out, err } = await run(`${words} ${'x '.repeat(count)}`)
    expect({ words, code, out }).toEqual({ words, code: 2, out: '' })
    expect(err).toContain('cli: standard input is not a terminal: use --yes to confirm\n')
    expect((await run(`${words} --help`)).out).toContain('  --yes ')
  }
})

test.each([
  ['stacks logs shop --tail 1001', '--tail "1001": must be a number of lines from 0 to 1000'],
  ['stacks logs shop -f --tail 1001', '--tail "1001": must be a number of lines from 0 to 1000'],
  ['containers logs web -f --tail all', '--tail "all": must be'],
  ['stacks logs shop --since yesterday', '--since "yesterday": must be a time as RFC 3339'],
  ['events --since 5x', '--since "5x": must be a time'],
  ['audit list --since 5x', '--since "5x": must be a time'],
  ['audit export rows --before never', '--before "never": must be a time'],
  ['audit export rows --after x', '--after "x": must be the sequence number'],
  ['tokens create ci --expires-in-days 3651', '--expires-in-days "3651": must be'],
  ['tokens create ci --expires-in soon', '--expires-in "soon": must be days'],
  ['tokens create ci --expires-in 0d', '--expires-in "0d": must be days'],
  [
    'tokens create ci --expires-in 1d --expires-in-days 1',
    '--expires-in and --expires-in-days: use only one',
  ],
  ['alerts rules update busy --for 5x', '--for "5x": must be a duration such as 90s'],
  ['alerts rules update busy --mute-for 90', '--mute-for "90": must be a duration such as 90s'],
  ['stacks stop shop --timeout 61m', '--timeout "61m": must be seconds from 0 to 3600'],
  ['tokens create ci --expires-at soon', '--expires-at "soon": must be a time as RFC 3339'],
  ['backups create j --system --to x --keep-last 100001', '--keep-last "100001": must be'],
  ['stacks deploy shop --pull now', '--pull "now": must be missing, always or never'],
  ['containers logs web --host all', '--host all: only lists accept all'],
  ['containers exec --host all web', '--host all: only lists accept all'],
])('2: `cli %s` needs no service', async (text, said) => {
  const { code, out, err } = await run(text)
  expect(err).toContain(said)
  expect({ code, out }).toEqual({ code: 2, out: '' })
})

test.each([...groups])('no hint at a command of %s names more than three', (group) => {
  const words = [group, 'nonsense']
  const { hint = '' } = unknownCommand(words, words, Object.keys(commands))
  expect(hint).toMatch(/^(its commands: [a-z -]+(, [a-z -]+){0,2}|run: cli [a-z]+ --help)$/)
})

test('the help has the commands of each subject together, in the order of its sections', async () => {
  const subjects = sections.flatMap(({ first }) => first)
  const inOrder = (words: readonly string[]) =>
    words.map((one) => one.split(' ')[0]).filter((one, at, all) => one !== all[at - 1])
  expect(inOrder(Object.keys(commands))).toEqual(subjects)
  const { out } = await run('--help')
  const [, first = ''] = out.split(/^(?=Stacks:$)/m)
  const shown = [...first.matchAll(/^ {2}([a-z][a-z -]*?) {2,}/gm)].map(([, words = '']) => words)
  expect(inOrder(shown)).toEqual(subjects)
})

test('the help begins with the first commands of a new user, and all of them exist', async () => {
  const { out } = await run('--help')
  const first = [...out.matchAll(/^ {2}cli ([a-z]+(?: [a-z]+)?)/gm)].map(([, words = '']) => words)
  expect(first).toEqual(['login', 'stacks create', 'stacks plan', 'stacks deploy', 'stacks status'])
  expect(first.filter((words) => !Object.hasOwn(commands, words))).toEqual([])
})

test.each([...longer])('%s follows the command that it begins with', (words) => {
  const all = Object.keys(commands)
  const beginning = words.split(' ').slice(0, 2).join(' ')
  const before = all.slice(0, all.indexOf(words)).toReversed()
  const others = before.slice(0, before.indexOf(beginning))
  expect(others.filter((one) => !one.startsWith(`${beginning} `))).toEqual([])
  expect(before).toContain(beginning)
})

test('every command is in one section of the help, whose example is a command', () => {
  const first = new Set(Object.keys(commands).map((words) => words.split(' ')[0]))
  const named = sections.flatMap((section) => section.first)
  expect(named.toSorted()).toEqual([...first].toSorted())
  for (const { example } of sections) {
    const { words } = findWords(example.split(' ').slice(1), groups, longer)
    expect(commands, example).toHaveProperty([words.join(' ')])
  }
})

test.each([
  ['environment', ['CLI_TOKEN', 'NO_COLOR']],
  ['exit-codes', ['130']],
  ['output', ['--jq', '--filter']],
])('0: `cli help %s`', async (topic, words) => {
  const { code, out, err } = await run(`help ${topic}`)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  for (const word of words) expect(out).toContain(word)
  expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100)
  expect((await run('help')).out).toContain(topic)
})
