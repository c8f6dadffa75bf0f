import { expect, onTestFinished, test, vi } from 'vitest'
import { clientWorld, stackOf } from '../../local/harness/client.ts'
import { commands } from '../commands.ts'
import { suggestions } from './candidates.ts'
import { isPlain, kindAt, type Names } from './names.ts'

const service: Names = async (kind, { stack, host }) =>
  kind === 'services' ? [`${stack}-web`] : [`${kind}-1`, `${host ?? 'local'}-2`]
const after = async (line: string, env = {}) =>
  (await suggestions(line.split(' '), commands, service, env)).map(({ text }) => text)

test.each([
  ['stacks depl', ['deploy', 'deployments']],
  ['stack depl', ['deploy', 'deployments']],
  ['stacks deployments w', ['watch']],
  ['stacks deploy ', ['stacks-1', 'local-2']],
  ['stacks deploy --no-wait ', ['stacks-1', 'local-2']],
  ['stacks deploy stacks', ['stacks-1']],
  ['stacks deploy shop ', ['shop-web']],
  ['stacks deploy shop web ', ['shop-web']],
  ['stacks deploy -- ', ['stacks-1', 'local-2']],
  ['updates --apply ', ['stacks-1', 'local-2']],
  ['updates --apply shop ', ['shop-web']],
  ['stacks create ', []],
  ['stacks update shop ', []],
  ['--context nas stacks get ', ['stacks-1', 'local-2']],
  ['containers list --host ', ['hosts-1', 'local-2']],
  ['containers logs --host nas ', ['containers-1', 'nas-2']],
  ['stacks list --output ', ['table', 'json', 'yaml', 'name']],
  ['stacks deploy shop --progress ', ['auto', 'tty', 'plain', 'json', 'quiet']],
  ['stacks list --outp', ['--output']],
  ['backups create nightly --stack ', ['stacks-1', 'local-2']],
  ['nonsense ', []],
  ['nonsense words x', []],
  ['constructor x', []],
])('after %j: %j', async (line, expected) => {
  expect(await after(line)).toEqual(expected)
})

test('CLI_HOST stands for a --host that is not given', async () => {
  const env = { CLI_HOST: 'far' }
  expect(await after('containers logs ', env)).toEqual(['containers-1', 'far-2'])
  expect(await after('containers logs --host nas ', env)).toEqual(['containers-1', 'nas-2'])
  expect(await after('backups restore ', env)).toEqual(['runs-1', 'local-2'])
})

test('offers every command and its flags', async () => {
  for (const [words, { load }] of Object.entries(commands)) {
    const before = words.split(' ')
    const last = before.pop() ?? ''
    expect(await after([...before, last].join(' ')), words).toContain(last)
    const { flags = {} } = (await load()).default
    const offered = await after(`${words} --`)
    for (const flag of Object.keys(flags))
      expect(offered, words).toContain(/--[\w-]+/.exec(flag)?.[0])
  }
})

test('knows what each argument that is not new, a file or free text names', async () => {
  const free =
    /url|provider|method|path|reference|file|directory|source|target|value|variables|command|permissions|words|shell|image/
  for (const [words, { load }] of Object.entries(commands)) {
    if (/ (create|enrol|pull|adopt)$/.test(words)) continue
    const { args = '' } = (await load()).default
    for (const argument of args
      .replace(/[[\]<>.]/g, '')
      .split(' ')
      .filter(Boolean)) {
      if (free.test(argument)) continue
      expect(kindAt({ command: words, argument }), `${words} ${argument}`).toBeDefined()
    }
  }
})

test.each(['$(reboot)', '`x`', 'a b', '-rf', "a'b", 'a;b', '', 'a\nb', '\u001b[2J'])(
  'never offers the name %j, which a shell or the client would take for something else',
  (name) => {
    expect(isPlain(name)).toBe(false)
  },
)

test('caches names of the service for 5 s, and has none while it is down', async () => {
  await using world = await clientWorld()
  await world.login()
  await stackOf(world, 'shop', 'services: {web: {image: "busybox:latest"}}')
  const start = Date.now()
  const clock = vi.spyOn(Date, 'now').mockReturnValue(start)
  onTestFinished(() => clock.mockRestore())
  const ask = async () => (await world.cli(['completion', 'bash', 'stacks', 'get', ''])).out
  expect(await ask()).toBe('shop\t\n')
  const asked = () => world.log.lines.filter(({ fields }) => fields.route === 'GET /stacks').length
  const before = asked()
  expect(await ask()).toBe('shop\t\n')
  expect(asked()).toBe(before)
  clock.mockReturnValue(start + 5000)
  expect(await ask()).toBe('shop\t\n')
  expect(asked()).toBe(before + 1)
  await world.away()
  expect(await world.cli(['completion', 'bash', 'stacks', 'logs', 'shop', ''])).toEqual({
    code: 0,
    out: '',
    err: '',
  })
  expect((await world.cli(['completion', 'bash', 'whoami', '--context', ''])).out).toBe(
    'default\t\n',
  )
})

test('2: a shell without completion', async () => {
  await using world = await clientWorld({ setUp: false })
  expect(await world.cli('completion constructor')).toMatchObject({ code: 2, out: '' })
})
