import { expect, test } from 'vitest'
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
  await stackOf(world, 'blog', compose)
  return world
}

const heads = /^CONTAINER +NAME +CPU % +MEM USAGE \/ LIMIT +MEM % +NET I\/O +BLOCK I\/O +PIDS$/
const figures =
  /^[0-9a-f]{12} +shop-web-1 +12\.50% +10 MiB \/ 100 MiB +10\.00% +1\.0 kB \/ 2\.0 kB +4\.1 kB \/ 8\.2 kB +1$/

const namesIn = (out: string) => out.match(/\b(?:shop|blog)-\w+-1\b/g) ?? []

test('0: containers stats prints one table without a terminal', async () => {
  await using world = await shop()
  const { code, out, err } = await world.cli('containers stats shop-web-1')
  const [head, row, ...rest] = out.split('\n')
  expect({ code, err, rest }).toEqual({ code: 0, err: '', rest: [''] })
  expect(head).toMatch(heads)
  expect(row).toMatch(figures)
  await expect.poll(world.feeds).toBe(0)
})

test('0: shows containers by ID and name once each, by default the running ones', async () => {
  await using world = await shop()
  const { id } = await world.engine.container('shop-db-1')
  const some = await world.cli(['containers', 'stats', 'shop-web-1', id, 'shop-db-1'])
  expect(namesIn(some.out)).toEqual(['shop-web-1', 'shop-db-1'])
  await world.engine.act('shop-db-1', { kind: 'stop' })
  const all = await world.cli('containers stats --host local')
  expect(namesIn(all.out).toSorted()).toEqual(['blog-db-1', 'blog-web-1', 'shop-web-1'])
  const stopped = await world.cli('containers stats shop-db-1')
  expect(stopped).toMatchObject({ code: 0, out: expect.stringMatching(/^CONTAINER .*\n$/) })
})

test('0: stacks stats shows the containers of the stack', async () => {
  await using world = await shop()
  const { code, out } = await world.cli('stacks stats shop --no-stream', { columns: 120 })
  expect(code).toBe(0)
  expect(namesIn(out).toSorted()).toEqual(['shop-db-1', 'shop-web-1'])
  expect(out).not.toContain('\u001b[K')
})

test('0: JSON has a line per message; with --no-stream one per container', async () => {
  await using world = await shop()
  const { out } = await world.cli('stacks stats shop --no-stream --output json')
  const lines = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.map(({ name }) => name).toSorted()).toEqual(['shop-db-1', 'shop-web-1'])
  expect(lines[0]).toMatchObject({ container_id: expect.any(String), cpu_percent: 12.5, pids: 1 })
  const stream = world.cli('containers stats shop-web-1 --output json')
  await expect.poll(world.feeds).toBe(1)
  await world.engine.act('shop-web-1', { kind: 'kill' })
  const streamed = (await stream).out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(streamed.at(-1)).toMatchObject({ name: 'shop-web-1', end: { exit_code: 137 } })
})

/** Draws a table on a terminal and records what it has shown. */
function drawn(world: Awaited<ReturnType<typeof shop>>, argv: string, columns = 120) {
  const seen = { text: '', interrupt: () => {} }
  const ended = world.cli(argv, {
    columns,
    onOut: (text) => {
      seen.text += text
    },
    onInterrupt: (send) => {
      seen.interrupt = send
    },
  })
  return Object.assign(seen, { ended })
}

test('0: redraws on a terminal, removes stopped containers and ends after the last', async () => {
  await using world = await shop()
  const table = drawn(world, 'stacks stats shop')
  await expect.poll(() => namesIn(table.text).length).toBe(2)
  await world.engine.act('shop-db-1', { kind: 'stop' })
  await expect.poll(() => table.text.split('\u001b[3A\r').length).toBe(2)
  const second = table.text.split('\u001b[3A\r')[1] ?? ''
  expect(namesIn(second)).toEqual(['shop-web-1'])
  expect(second).toMatch(/\u001b\[K\n\u001b\[J$/)
  await world.engine.act('shop-web-1', { kind: 'stop' })
  const { code, out, err } = await table.ended
  expect([code, err]).toEqual([0, ''])
  expect(namesIn(out.slice(out.lastIndexOf('A\r')))).toEqual([])
})

test('130: an interrupt stops the command and its feeds', async () => {
  await using world = await shop()
  const table = drawn(world, 'containers stats', 40)
  await expect.poll(() => table.text).toContain('\n')
  table.interrupt()
  const { code, out } = await table.ended
  expect(code).toBe(130)
  const lines = out.replace(/\u001b\[[0-9]*[A-Za-z]/g, '').split('\n')
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(40)
  await expect.poll(world.feeds).toBe(0)
})

test('0: reports a lost connection once below the table until it is back', async () => {
  await using world = await shop()
  const table = drawn(world, 'stacks stats shop')
  await expect.poll(() => namesIn(table.text).length).toBe(2)
  await world.away()
  await expect.poll(() => table.text).toContain('the connection was lost')
  await world.back()
  await expect.poll(world.feeds, { timeout: 10_000 }).toBe(2)
  for (const name of ['shop-db-1', 'shop-web-1']) await world.engine.act(name, { kind: 'stop' })
  const { code, out, err } = await table.ended
  expect([code, err]).toEqual([0, ''])
  expect(out.slice(out.lastIndexOf('A\r'))).not.toContain('lost')
})

test('1, 2, 3, 4: no such container, several hosts, not logged in, permission revoked', async () => {
  await using world = await shop()
  expect((await world.cli('containers stats none')).code).toBe(1)
  expect((await world.cli('stacks stats none')).code).toBe(1)
  expect((await world.cli('containers stats --host all')).code).toBe(2)
  expect((await world.cli('containers stats --token wrong')).code).toBe(3)
  const table = drawn(world, 'containers stats shop-web-1')
  await expect.poll(world.feeds).toBe(1)
  const account = present(await world.ports.accounts.findByUsername('ada'))
  await world.ports.accounts.replace({ ...account, disabled: true })
  expect(await table.ended).toMatchObject({ code: 4, err: expect.stringContaining('revoked') })
})
