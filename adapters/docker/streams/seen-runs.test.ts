import type { ServerResponse } from 'node:http'
import { expect, onTestFinished, test, vi } from 'vitest'
import { json, loopbackEngine } from '../../../local/harness/loopback-engine.ts'
import { engineClient } from '../transport/client.ts'
import { engineEvents } from './events.ts'
import { seenRuns } from './seen-runs.ts'

const start = Date.parse('2026-11-23T12:00:00Z')

/** Returns a line of the Engine's events, `seconds` after the beginning of the test. */
const line = (action: string, id: string, seconds = 0) =>
  `${JSON.stringify({
    Type: 'container',
    Action: action,
    timeNano: (start + seconds * 1000) * 1e6,
    Actor: { ID: id, Attributes: {} },
  })}\n`

/** Returns an Engine with a history, whose events the test sends. */
async function world(history: string[] = []) {
  const state = { history, streams: [] as ServerResponse[] }
  const engine = await loopbackEngine(({ path, url }, response) => {
    if (path === '/_ping') {
      response.setHeader('date', new Date(start + 60_000).toUTCString())
      return response.end('OK')
    }
    const isHistory = path === '/events' && url.searchParams.has('until')
    if (isHistory) return response.end(state.history.join(''))
    if (path === '/events') {
      response.flushHeaders()
      return state.streams.push(response)
    }
    return json(response, 200, [])
  })
  const client = engineClient(engine.transport, 'local')
  const events = engineEvents(client)
  onTestFinished(() => {
    events.close()
    client.close()
  })
  const { stops, restarted: readRestarted } = seenRuns(client, events)
  await vi.waitFor(() => expect(events.live()).toBe(true))
  const stopped = async () => [...(await stops()).keys()].sort()
  const restarted = async () => [...(await readRestarted())].sort()
  const say = (...lines: string[]) => state.streams.at(-1)?.write(lines.join(''))
  return { state, stops, stopped, restarted, say }
}

test('reads the history of the Engine, then its events', async () => {
  const here = await world([
    line('stop', 'a', 1),
    line('stop', 'b', 2),
    line('start', 'b', 3),
    line('stop', 'c', 4),
    line('destroy', 'c', 5),
  ])
  expect(await here.stopped()).toEqual(['a'])
  here.say(line('stop', 'd', 70), line('start', 'a', 71), line('die', 'e', 72))
  await expect.poll(here.stopped).toEqual(['d'])
})

test('a stop in the history does not replace a later start', async () => {
  const here = await world([line('stop', 'a', 1)])
  here.say(line('start', 'a', 61))
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(await here.stopped()).toEqual([])
})

test('marks stops of the last 20 s as recent', async () => {
  const here = await world([line('stop', 'a', 1)])
  here.say(line('stop', 'b', 61))
  await expect.poll(here.stopped).toEqual(['a', 'b'])
  const stops = await here.stops()
  expect(stops.get('a')).toEqual({ at: start + 1000, isRecent: false })
  expect(stops.get('b')).toEqual({ at: start + 61_000, isRecent: true })
})

test('an Engine that ends stops its containers: such stops are forgotten', async () => {
  const here = await world([line('stop', 'a', 1)])
  here.say(line('stop', 'b', 61))
  await expect.poll(here.stopped).toEqual(['a', 'b'])
  here.state.history = []
  here.state.streams.at(-1)?.destroy()
  await expect.poll(() => here.state.streams.length, { timeout: 10_000 }).toBe(2)
  expect(await here.stopped()).toEqual(['a'])
})

test('a start that follows an end is a restart, unless there was a stop', async () => {
  const here = await world([
    ...[line('die', 'a', 1), line('start', 'a', 2)],
    ...[line('die', 'b', 3), line('stop', 'b', 4), line('start', 'b', 5)],
    ...[line('start', 'c', 6), line('die', 'd', 7)],
  ])
  expect(await here.restarted()).toEqual(['a'])
  here.say(
    line('start', 'd', 61),
    line('die', 'a', 62),
    line('die', 'c', 63),
    line('start', 'c', 64),
  )
  await expect.poll(here.restarted).toEqual(['c', 'd'])
  here.say(line('stop', 'c', 65), line('start', 'c', 66), line('destroy', 'd', 67))
  await expect.poll(here.restarted).toEqual([])
})

test('an end that is reported after its stop does not hide the stop', async () => {
  const here = await world([line('stop', 'a', 1), line('die', 'a', 2)])
  expect(await here.stopped()).toEqual(['a'])
  here.say(line('start', 'a', 61))
  await expect.poll(here.stopped).toEqual([])
  expect(await here.restarted()).toEqual([])
})

test('a history that repeats the events of a restart changes nothing', async () => {
  const here = await world()
  here.say(line('die', 'a', 1), line('start', 'a', 2), line('start', 'b', 3))
  here.state.history = [line('die', 'a', 1), line('start', 'a', 2)]
  await expect.poll(here.restarted).toEqual(['a'])
})
