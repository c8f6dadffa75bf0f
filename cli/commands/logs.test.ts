import { expect, test } from 'vitest'
import { print } from '../../adapters/memory/engine-streams.ts'
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

test('0: containers logs -f goes on until the container stops', async () => {
  await using world = await shop()
  world.say('web', 'one', 'two')
  const following = world.cli('containers logs shop-web-1 -f --tail 1')
  await expect.poll(() => world.ports.streams.size).toBe(1)
  world.say('web', 'three')
  await world.engine.act('shop-web-1', { kind: 'stop' })
  expect(await following).toEqual({ code: 0, out: 'two\nthree\n', err: '' })
})

test('0: an interruption leaves nothing out and brings nothing twice', async () => {
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

test('0: stacks logs -f shows each service, and goes on through an interruption', async () => {
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

test('one service, colours on a terminal, JSON when that is asked for', async () => {
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

test('1, 3, 4: a log that is not there, nobody, rights that are withdrawn', async () => {
  await using world = await shop()
  expect(await world.cli('containers logs none -f')).toMatchObject({ code: 1 })
  expect(await world.cli('stacks logs none -f')).toMatchObject({ code: 1 })
  const nobody = await world.cli('containers logs shop-web-1 -f --token wrong')
  expect(nobody.code).toBe(3)
  const following = world.cli('containers logs shop-web-1 -f')
  await expect.poll(world.feeds).toBe(1)
  const account = (await world.ports.accounts.findByUsername('ada'))!
  await world.ports.accounts.replace({ ...account, disabled: true })
  expect(await following).toMatchObject({ code: 4, err: expect.stringContaining('revoked') })
})
