import type { ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { listedContainer } from '../../../local/harness/engine-responses.ts'
import { json, loopbackEngine } from '../../../local/harness/loopback-engine.ts'
import { engineLists } from '../state/lists.ts'
import { engineClient } from '../transport/client.ts'
import { changesUntil } from './event-stream.ts'
import { changeOf, engineEvents } from './events.ts'

/** Returns an Engine whose containers and events the test controls. */
async function world() {
  const state = { names: ['one'], refuseEvents: false, streams: [] as ServerResponse[] }
  const engine = await loopbackEngine(({ path }, response) => {
    if (path === '/events' && state.refuseEvents) return json(response, 500, { message: 'no' })
    if (path === '/events') {
      response.flushHeaders()
      return state.streams.push(response)
    }
    return json(response, 200, state.names.map(listedContainer))
  })
  const client = engineClient(engine.transport, 'local')
  const events = engineEvents(client)
  onTestFinished(() => {
    events.close()
    client.close()
  })
  const lists = engineLists(client, events)
  const names = async () => (await lists.containers()).map(({ name }) => name)
  return { state, events, lists, names, ...engine }
}

const event = (action: string) =>
  `${JSON.stringify({ Type: 'container', Action: action, Actor: { ID: 'one', Attributes: {} } })}\n`

/** Polls for changes that may be slow on a busy machine. */
const eventually = <T>(look: () => T) => expect.poll(look, { timeout: 15_000 })

test('reads a list once while there are no events', async () => {
  const { events, lists, calls } = await world()
  await eventually(() => events.live()).toBe(true)
  const first = await lists.containers()
  for (let turn = 0; turn < 100; turn += 1) expect(await lists.containers()).toBe(first)
  expect(calls.length).toBe(1)
})

test('an event invalidates the list, however its bytes are split', async () => {
  const { state, events, names } = await world()
  await eventually(() => events.live()).toBe(true)
  expect(await names()).toEqual(['one'])
  state.names = ['one', 'two']
  const text = event('start')
  state.streams[0]?.write(text.slice(0, 20))
  state.streams[0]?.write(text.slice(20))
  await eventually(names).toEqual(['one', 'two'])
})

test('a list that shows the state before an event is soon read again', async () => {
  const { state, events, names, calls } = await world()
  await eventually(() => events.live()).toBe(true)
  expect(await names()).toEqual(['one'])
  state.streams[0]?.write(event('die'))
  await eventually(async () => {
    await names()
    return calls.length
  }).toBeGreaterThan(1)
  expect(await names()).toEqual(['one'])
  state.names = ['two']
  await eventually(names).toEqual(['two'])
})

test('resubscribes after the stream breaks and drops cached lists', async () => {
  const { state, events, names } = await world()
  await eventually(() => events.live()).toBe(true)
  expect(await names()).toEqual(['one'])
  state.names = ['two']
  state.streams[0]?.destroy()
  await eventually(names).toEqual(['two'])
  await eventually(() => state.streams.length).toBe(2)
  await eventually(() => events.live()).toBe(true)
})

test('without events, caches a list only briefly', async () => {
  const { state, events, names } = await world()
  state.refuseEvents = true
  expect(await names()).toEqual(['one'])
  state.names = ['two']
  await eventually(names).toEqual(['two'])
  expect(events.live()).toBe(false)
})

test('subscribes only to events that change something', async () => {
  const { events, state } = await world()
  await eventually(() => events.live()).toBe(true)
  const url = new URL(state.streams[0]?.req.url ?? '', 'http://engine')
  const filters = JSON.parse(url.searchParams.get('filters') ?? '')
  expect(filters.type).toEqual(['container', 'image', 'network', 'volume'])
  expect(filters.event).toContain('health_status')
  expect(filters.event.filter((name: string) => name.startsWith('exec'))).toEqual([])
})

test.each([1e30, -1, Number.NaN, '2026', null])('an event at %j has no time', (timeNano) => {
  const line = { Type: 'container', Action: 'stop', timeNano } as never
  expect(changeOf(line).at).toBe(0)
})

test('reads a bounded number of past events from an Engine that sends them without end', async () => {
  let isClosed = false
  const engine = await loopbackEngine((_, response) => {
    const line = `${JSON.stringify({ Type: 'container', Action: 'stop', time: 1 })}\n`
    const more = () => {
      while (response.write(line.repeat(100)));
    }
    response.on('drain', more)
    response.on('close', () => {
      isClosed = true
    })
    more()
  })
  const client = engineClient(engine.transport, 'local')
  onTestFinished(() => client.close())
  expect(await changesUntil(client, 1000)).toHaveLength(4096)
  await expect.poll(() => isClosed).toBe(true)
})
