import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { clientWorld } from '../../local/harness/client.ts'
import { givenContainer } from '../../local/harness/world.ts'

/** Starts a client that follows events, next to a running container. */
async function following(flags = '', hostName = 'local') {
  const world = await clientWorld()
  await world.login()
  await world.cli(`hosts update local --name ${hostName}`)
  const id = await givenContainer(world, 'one')
  world.ports.clock.advance(2000)
  let out = ''
  const onOut = (text: string) => {
    out += text
  }
  const events = world.cli(`events${flags}`, { onOut })
  await expect.poll(() => world.feeds()).toBe(1)
  const act = (kind: 'kill' | 'start') => world.engine.act(id, { kind })
  /** Ends the feed permanently by disabling its account. */
  const cutOff = async () => {
    const [account] = await world.ports.accounts.list()
    await world.ports.accounts.replace({ ...present(account), disabled: true })
    world.ports.clock.advance(3000)
    await act('kill')
    return events
  }
  const shown = (text: string) => expect.poll(() => out).toContain(text)
  return { world, act, cutOff, shown }
}

test('4: prints a line per event until the permission is revoked', async () => {
  const { world, act, cutOff, shown } = await following()
  await using _world = world
  await act('kill')
  await act('start')
  await shown('container.start')
  const { code, out } = await cutOff()
  expect(code).toBe(4)
  const lines = out.trim().split('\n')
  expect(lines.filter((line) => line.includes('  container.die  '))).toEqual([
    '2026-06-01 12:00:02Z  local  container.die  container/one  -  image=busybox:latest exit_code=137',
  ])
  expect(out).toContain('  container.start  container/one  ')
})

test('names hosts, and takes a name', async () => {
  const { world, act, cutOff, shown } = await following(' --host server', 'server')
  await using _world = world
  await act('kill')
  await act('start')
  await shown('  server  container.start  ')
  expect((await cutOff()).out).not.toContain('  local  ')
})

test('--output json prints the messages as they were sent', async () => {
  const { world, act, cutOff, shown } = await following(' --output json')
  await using _world = world
  await act('kill')
  await act('start')
  await shown('container.start')
  const { out } = await cutOff()
  const messages = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(messages.map(({ kind }) => kind)).toContain('container.die')
})

test('after a reconnect, prints missed events but none from before the command', async () => {
  const { world, act, cutOff, shown } = await following()
  await using _world = world
  await act('kill')
  await shown('container.die')
  await world.away()
  await act('start')
  await world.back()
  await shown('container.start')
  const { out } = await cutOff()
  const kinds = [...out.matchAll(/container\.(die|start|kill)/g)].map(([, kind]) => kind)
  expect(kinds).toEqual(['die', 'start'])
})
