import { expect, test } from 'vitest'
import { print } from '../../adapters/testing/memory/engine-streams.ts'
import { present } from '../../adapters/testing/present.ts'
import { clientWorld, stackOf } from '../../local/harness/client.ts'

const compose = `services:
  db: { image: "busybox:latest", command: sleep 60 }
  web: { image: "busybox:latest", command: sleep 60 }
`

async function shop() {
  const world = await clientWorld()
  await world.login()
  await stackOf(world, 'shop', compose)
  const say = (service: string, ...lines: string[]) =>
    print(world.engine.state, `shop-${service}-1`, ...lines)
  return { ...world, say, [Symbol.asyncDispose]: world[Symbol.asyncDispose] }
}

test('0: containers logs -f continues until the container stops', async () => {
  await using world = await shop()
  world.say('web', 'one', 'two')
  const following = world.cli('containers logs shop-web-1 -f --tail 1')
  await expect.poll(() => world.ports.streams.size).toBe(1)
  world.say('web', 'three')
  await world.engine.act('shop-web-1', { kind: 'stop' })
  expect(await following).toEqual({ code: 0, out: 'two\nthree\n', err: '' })
})

test('0: loses and repeats no line after a reconnect', async () => {
  await using world = await shop()
  world.say('web', 'one')
  const following = world.cli('containers logs shop-web-1 --follow')
  await expect.poll(() => world.ports.streams.size).toBe(1)
  world.say('web', 'two')
  await world.away()
  await expect.poll(world.feeds).toBe(0)
  world.say('web', 'three')
  await world.back()
  await expect.poll(world.feeds).toBe(1)
  world.say('web', 'four')
  await world.engine.act('shop-web-1', { kind: 'stop' })
  const { code, out, err } = await following
  expect([code, out]).toEqual([0, 'one\ntwo\nthree\nfour\n'])
  expect(err).toContain('the connection was lost')
})

test.each([
  ['containers logs shop-web-1 -f', ''],
  ['stacks logs shop --service web -f', 'web | '],
])('0: %s loses none of many lines that are written while it is away', async (words, head) => {
  await using world = await shop()
  const following = world.cli(words)
  await expect.poll(() => world.ports.streams.size).toBe(1)
  await world.away()
  await expect.poll(world.feeds).toBe(0)
  const first = Array.from({ length: 300 }, (_, index) => `first ${index}`)
  world.say('web', ...first)
  await world.back()
  await expect.poll(world.feeds).toBe(1)
  world.say('web', 'between')
  await world.away()
  await expect.poll(world.feeds).toBe(0)
  const second = Array.from({ length: 300 }, (_, index) => `second ${index}`)
  world.say('web', ...second)
  await world.back()
  await expect.poll(world.feeds).toBe(1)
  world.say('web', 'end')
  await world.engine.act('shop-web-1', { kind: 'stop' })
  if (head) expect((await world.cli('stacks delete shop --yes')).code).toBe(0)
  const { code, out } = await following
  const lines = [...first, 'between', ...second, 'end'].map((line) => `${head}${line}\n`)
  expect([code, out]).toEqual([0, lines.join('')])
})

test('0: stacks logs -f shows each service and survives a reconnect', async () => {
  await using world = await shop()
  world.say('db', 'one')
  const following = world.cli('stacks logs shop -f')
  await expect.poll(() => world.ports.streams.size).toBe(2)
  world.say('web', 'two')
  await world.away()
  await expect.poll(world.feeds).toBe(0)
  world.say('db', 'three')
  await world.back()
  await expect.poll(() => world.ports.streams.size).toBe(2)
  world.say('web', 'four')
  expect((await world.cli('stacks delete shop --yes')).code).toBe(0)
  const { code, out } = await following
  expect(code).toBe(0)
  expect(out.split('\n').toSorted()).toEqual(
    ['', 'db  | one', 'db  | three', 'web | four', 'web | two'].toSorted(),
  )
})

test('filters by service, colours on a terminal, prints JSON on request', async () => {
  await using world = await shop()
  world.say('db', 'one')
  world.say('web', '\u001b[31mtwo\u001b[2J')
  const shown = world.cli('stacks logs shop -f --service web', { columns: 80 })
  const json = world.cli('containers logs shop-db-1 -f --output json')
  await expect.poll(() => world.ports.streams.size).toBe(2)
  await world.engine.act('shop-db-1', { kind: 'kill' })
  await world.cli('stacks delete shop --yes')
  expect((await shown).out).toMatch(/\u001b\[33mweb \| .*\u001b\[31mtwo\\u001b\[2J\u001b\[0m\n/)
  const lines = (await json).out.trim().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { stream: 'stdout', data: 'one\n' },
    { end: { exit_code: 137 } },
  ])
})

test('0: stacks logs takes several services, a number of lines, a time and timestamps', async () => {
  await using world = await shop()
  world.say('db', 'one')
  world.ports.clock.advance(3_600_000)
  world.say('web', 'two', 'three')
  const out = async (words: string) => (await world.cli(`stacks logs shop ${words}`)).out
  expect(await out('db')).toBe('db | one\n')
  expect(await out('db web -n 1')).toBe('db  | one\nweb | three\n')
  expect(await out('web --service db')).toBe('db  | one\nweb | two\nweb | three\n')
  const since = new Date(world.ports.clock.now() - 600_000).toISOString()
  expect(await out(`db web --since ${since}`)).toBe('web | two\nweb | three\n')
  expect(await out(`db web --until ${since}`)).toBe('db | one\n')
  expect(await out('db --timestamps')).toMatch(/^db \| \d{4}-\d\d-\d\dT[\d:.]+Z one\n$/)
  const unknown = await world.cli('stacks logs shop db none')
  expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining('no service none') })
})

test('0: follows several services and shows the time of each line', async () => {
  await using world = await shop()
  world.say('db', 'one')
  world.say('web', 'two')
  const merged = world.cli('stacks logs shop db web -f --timestamps')
  const single = world.cli('containers logs shop-web-1 -f --timestamps -n 1')
  await expect.poll(world.feeds).toBe(2)
  await expect.poll(() => world.ports.streams.size).toBeGreaterThan(1)
  world.ports.clock.advance(60_000)
  world.say('web', 'three')
  await world.engine.act('shop-web-1', { kind: 'stop' })
  const { code, out } = await single
  expect(code).toBe(0)
  const stamps = out
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
  expect(stamps.map(([, text]) => text)).toEqual(['two', 'three'])
  expect(stamps.map(([time = '']) => Date.parse(time))).not.toContain(Number.NaN)
  expect(stamps[0]?.[0]).not.toBe(stamps[1]?.[0])
  await world.cli('stacks delete shop --yes')
  expect((await merged).out).toMatch(/^db {2}\| \S+Z one\nweb \| \S+Z two\nweb \| \S+Z three\n$/)
})

test('1, 3, 4: no such log, not logged in, permission revoked', async () => {
  await using world = await shop()
  expect(await world.cli('containers logs none -f')).toMatchObject({ code: 1 })
  expect(await world.cli('stacks logs none -f')).toMatchObject({ code: 1 })
  const nobody = await world.cli('containers logs shop-web-1 -f --token wrong')
  expect(nobody.code).toBe(3)
  const following = world.cli('containers logs shop-web-1 -f')
  await expect.poll(world.feeds).toBe(1)
  const account = present(await world.ports.accounts.findByUsername('ada'))
  await world.ports.accounts.replace({ ...account, disabled: true })
  expect(await following).toMatchObject({ code: 4, err: expect.stringContaining('revoked') })
})

const partlyMute = `services:
  db: { image: "busybox:latest", command: sleep 60, scale: 2, logging: { driver: none } }
  web: { image: "busybox:latest", command: sleep 60 }
`
const cannot = 'the log of the container cannot be read: its log driver (none) does not support it'

async function mute() {
  const world = await clientWorld()
  await world.login()
  await stackOf(world, 'shop', partlyMute)
  print(world.engine.state, 'shop-web-1', 'one')
  return { ...world, [Symbol.asyncDispose]: world[Symbol.asyncDispose] }
}

test('0: stacks logs says once which log cannot be read, and shows the others', async () => {
  await using world = await mute()
  expect(await world.cli('stacks logs shop')).toEqual({
    code: 0,
    out: 'web | one\n',
    err: 'cli: the log of db cannot be read: its log driver does not support it\n',
  })
  expect(await world.cli('stacks logs shop web')).toMatchObject({ code: 0, err: '' })
})

test('0: stacks logs -f says once which log cannot be read, also after a reconnect', async () => {
  await using world = await mute()
  const following = world.cli('stacks logs shop -f')
  const json = world.cli('stacks logs shop -f --output json')
  await expect.poll(world.feeds).toBe(2)
  await world.away()
  await expect.poll(world.feeds).toBe(0)
  await world.back()
  await expect.poll(world.feeds).toBe(2)
  await world.cli('stacks delete shop --yes')
  const { code, out, err } = await following
  expect([code, out]).toEqual([0, 'web       | one\n'])
  expect(err.split('\n').filter((line) => line.includes('cannot be read'))).toEqual([
    `cli: db: ${cannot}`,
  ])
  const errors = (await json).out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter((message) => 'error' in message)
  expect(errors).toMatchObject([{ service: 'db' }, { service: 'db' }])
})

test('1: a log that cannot be read, asked for alone, with and without -f', async () => {
  await using world = await mute()
  for (const words of [
    'stacks logs shop db',
    'stacks logs shop --service db -f',
    'containers logs shop-db-1',
    'containers logs shop-db-1 -f',
    'containers logs shop-db-1 -f --timestamps',
  ]) {
    const { code, out, err } = await world.cli(words)
    expect([words, code, out]).toEqual([words, 1, ''])
    expect(err).toContain(cannot)
    expect(err).not.toContain('reconnecting')
  }
})
