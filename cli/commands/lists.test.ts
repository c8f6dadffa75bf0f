import { expect, test } from 'vitest'
import { memoryEngine } from '../../adapters/testing/memory/engine.ts'
import { agentHost, hostNameOf } from '../../adapters/testing/memory/hosts.ts'
import { present } from '../../adapters/testing/present.ts'
import { internalError } from '../../functions/core/errors.ts'
import { clientWorld, stackOf } from '../../local/harness/client.ts'

type World = Awaited<ReturnType<typeof clientWorld>>

const compose = `services:
  web:
    image: busybox:latest
    command: [sh, -c, echo hello; sleep 9]
  job:
    image: busybox:latest
    command: [sh, -c, echo over; exit 3]
`

async function withContainers() {
  const world = await clientWorld()
  await world.login()
  await stackOf(world, 'shop', compose)
  return world
}

const linesOf = async (world: World, words: string) => {
  const { code, out, err } = await world.cli(words)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return out.trimEnd().split('\n')
}

test('0: containers list shows running containers, with -a all', async () => {
  await using world = await withContainers()
  const running = await linesOf(world, 'containers list')
  expect(running[0]).toMatch(/^CONTAINER +NAME +IMAGE +STATUS +PORTS$/)
  expect(running.slice(1)).toEqual([expect.stringMatching(/^[0-9a-f]{12} +shop-web-1 +busybox/)])
  for (const flag of ['-a', '--all']) {
    const all = await linesOf(world, `container list ${flag}`)
    expect(all.slice(1).map((line) => line.split(/ +/)[1])).toEqual(['shop-job-1', 'shop-web-1'])
  }
})

test.each(['', ' --host all'])(
  '0: --filter chooses the rows of a table of a host:%s',
  async (host) => {
    await using world = await withContainers()
    const names = async (list: string, column: number) =>
      (await linesOf(world, `${list}${host}`)).slice(1).map((line) => line.split(/ +/)[column])
    expect(await names('containers list --all --filter name=*job*', 1)).toEqual(['shop-job-1'])
    expect(await names('networks list --filter name=none', 0)).toEqual([])
  },
)

test('0: containers logs prints lines unchanged', async () => {
  await using world = await withContainers()
  expect((await world.cli('containers logs shop-web-1')).out).toBe('hello\n')
  expect((await world.cli('containers logs shop-web-1 --tail 0')).out).toBe('')
  expect((await world.cli('containers logs shop-web-1 --since 9999d')).out).toBe('hello\n')
})

test('2: --tail is not a number from 0 to 1000; 1: no such container', async () => {
  await using world = await withContainers()
  expect((await world.cli('containers logs shop-web-1 --tail all')).code).toBe(2)
  for (const words of ['containers logs shop-web-1', 'stacks logs shop']) {
    const plain = await world.cli(`${words} --tail 5000`)
    expect([plain.code, plain.err]).toEqual([2, expect.stringContaining('--tail "5000": must')])
    expect(await world.cli(`${words} --follow --tail 5000`)).toEqual(plain)
  }
  expect((await world.cli('containers logs none')).code).toBe(1)
  expect((await world.cli(['containers', 'logs', '../../me'])).code).toBe(1)
})

test('0: escapes control characters of a log line, keeps its colours', async () => {
  await using world = await withContainers()
  const container = [...world.engine.state.containers.values()].find(
    ({ name }) => name === 'shop-web-1',
  )
  const line = '\u001b[32mok\u001b]0;title\u0007'
  present(container).logs = [{ stream: 'stdout', time: '2026-06-01T12:00:00Z', line }]
  expect((await world.cli('containers logs shop-web-1')).out).toBe(`${line}\n`)
  const shown = await world.cli('containers logs shop-web-1', { columns: 80 })
  expect(shown.out).toBe('\u001b[32mok\\u001b]0;title\\u0007\u001b[0m\n')
})

test('0: lists images, networks, volumes and hosts', async () => {
  await using world = await withContainers()
  expect(await linesOf(world, 'images list')).toEqual([
    expect.stringMatching(/^IMAGE +ID +SIZE +CREATED +CONTAINERS$/),
    expect.stringMatching(/^busybox:latest +[0-9a-f]{12} +/),
  ])
  expect((await linesOf(world, 'network list'))[1]).toContain('shop_default')
  expect(await linesOf(world, 'volumes list')).toEqual(['NAME  DRIVER  STACK  CREATED'])
  expect((await linesOf(world, 'host list'))[1]).toMatch(/^local +Cellar +local +online/)
})

test('0: --host all shows the host of each row and the unreachable hosts', async () => {
  await using world = await withContainers()
  const away = memoryEngine()
  away.offline = internalError('the agent is offline')
  world.ports.engines.byHost.set('nas', away)
  await world.ports.hosts.create(agentHost('nas'))
  const { code, out, err } = await world.cli('containers list --host all')
  expect(code).toBe(0)
  expect(out.split('\n')[0]).toMatch(/PORTS +HOST$/)
  expect(out.split('\n')[1]).toMatch(/Cellar$/)
  expect(err).toBe(`host ${hostNameOf('nas')}: the agent is offline\n`)
  const one = await world.cli('containers list --host nas')
  expect(one.code).toBe(1)
  expect((await world.cli('containers list --host none')).code).toBe(1)
})

test.each([
  'containers list',
  'images list',
  'hosts list',
  'stacks list',
  'stacks status shop',
  'whoami',
])('0: %s --output json prints the bytes of the response', async (words) => {
  await using world = await withContainers()
  const { token } = await world.config()
  const path = { whoami: '/me', 'stacks status shop': '/stacks/shop/status' }[words]
  const url = `${world.server}/api/v1${path ?? `/${words.split(' ')[0]}`}`
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  expect((await world.cli(`${words} --output json`)).out).toBe(`${await answer.text()}\n`)
})

test('0: creates, lists and revokes tokens', async () => {
  await using world = await clientWorld()
  await world.login()
  const made = await world.cli('tokens create 007 --expires-in-days 30')
  expect(made.out).toMatch(/^cst_[0-9A-Za-z]{42}\n$/)
  const [, row = ''] = await linesOf(world, 'tokens list')
  expect(row).toMatch(/^\S+ +007 +ada +cst_\S* +admin +- +2026-07-01 12:00:00Z/)
  const env = { CLI_SERVER: world.server, CLI_TOKEN: made.out.trim() }
  expect((await world.cli('whoami', { env })).code).toBe(0)
  expect((await world.cli(['tokens', 'revoke', row.split(' ')[0] ?? '', '--yes'])).code).toBe(0)
  expect((await world.cli('whoami', { env })).code).toBe(3)
})

test('0: creates and lists users', async () => {
  await using world = await clientWorld()
  await world.login()
  const stdin = 'correct horse battery\n'
  const words = 'users create olga --role operator --scope-tag eu --scope-tag us'
  expect((await world.cli(words, { stdin })).out).toBe('olga is created (operator)\n')
  const rows = await linesOf(world, 'users list')
  expect(rows[2]).toMatch(/^olga +\S+ +operator +eu, us +active +-$/)
  expect((await world.cli('users create olga', { stdin })).code).toBe(1)
})
