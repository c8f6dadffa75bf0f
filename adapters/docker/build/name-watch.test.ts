import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { loopbackEngine } from '../../../local/harness/loopback-engine.ts'
import type { EngineChange, EngineEvents } from '../streams/events.ts'
import { engineClient } from '../transport/client.ts'
import { watchNames } from './name-watch.ts'

const start = Date.parse('2026-01-01T00:00:00Z')

/** An event by which an image gets a name, some seconds after the start. */
const tag = (name: string, id: string, seconds = 1) => ({
  Type: 'image',
  Action: 'tag',
  Actor: { ID: id, Attributes: { name } },
  timeNano: (start + seconds * 1000) * 1e6,
})
const pull = (name: string) => ({ ...tag(name, name), Action: 'pull' })
const other = { Type: 'container', Action: 'start', Actor: { ID: 'c' }, timeNano: start * 1e6 }

const { signal } = new AbortController()

/** Watches an Engine that remembers these events at the end. `tell` reports one as it happens. */
async function watched(remembered: object[], isLive = true) {
  const { transport } = await loopbackEngine(({ path }, response: ServerResponse) => {
    response.setHeader('Date', new Date(start).toUTCString())
    if (path === '/_ping') return response.end('OK')
    return response.end(remembered.map((line) => `${JSON.stringify(line)}\n`).join(''))
  })
  let tell: (change: EngineChange | undefined) => void = () => {}
  const events: EngineEvents = {
    live: () => isLive,
    listen(listener) {
      tell = listener
      return () => {}
    },
    close() {},
  }
  const watch = await watchNames(engineClient(transport, 'local'), events)
  return { watch, tell: (change: EngineChange | undefined) => tell(change) }
}

test('names the images that got a name, however it is written', async () => {
  const { watch } = await watched([
    tag('shop/base:1', 'sha256:a'),
    tag('other:1', 'sha256:b'),
    tag('busybox:latest', 'sha256:c'),
    pull('docker.io/library/node:20'),
  ])
  const namings = await watch.namings(['shop/base:1', 'busybox', 'node:20', 'alpine'], signal)
  expect(namings).toEqual([
    { name: 'shop/base:1', id: 'sha256:a' },
    { name: 'busybox:latest', id: 'sha256:c' },
    { name: 'docker.io/library/node:20', id: 'docker.io/library/node:20' },
  ])
})

test('knows nothing of names from before the watch', async () => {
  const { watch } = await watched([tag('a:1', 'sha256:a', -1), tag('a:1', 'sha256:b', 0)])
  expect(await watch.namings(['a:1'], signal)).toEqual([{ name: 'a:1', id: 'sha256:b' }])
})

test('keeps what the Engine has forgotten since', async () => {
  const busy = Array.from({ length: 256 }, () => ({ ...other, timeNano: (start + 9e5) * 1e6 }))
  const { watch, tell } = await watched(busy)
  const change = { kind: 'image', action: 'tag', id: 'sha256:a', at: (start + 1) * 1e6 } as const
  tell({ ...change, attributes: { name: 'a:1' }, container: undefined })
  expect(await watch.namings(['a:1'], signal)).toEqual([{ name: 'a:1', id: 'sha256:a' }])
})

test.each([
  ['an interrupted connection, and an Engine that has forgotten events', 256, 9e5, undefined],
  ['an interrupted connection, and an Engine that remembers all', 256, -1, []],
  ['an interrupted connection, and an Engine with few events', 255, 9e5, []],
])('%s', async (_, length, at, expected) => {
  const past = Array.from({ length }, () => ({ ...other, timeNano: (start + at) * 1e6 }))
  const { watch, tell } = await watched(past)
  tell(undefined)
  expect(await watch.namings(['a:1'], signal)).toEqual(expected)
})
