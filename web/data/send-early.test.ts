import { signal } from '@preact/signals'
import { expect, test } from 'vitest'
import type { FeedState } from './feed.ts'
import { sendEarly } from './send-early.ts'

function feedWith(first: FeedState) {
  const state = signal<FeedState>(first)
  const sent: number[][] = []
  const send = sendEarly({ state, send: (message) => void sent.push([...(message as Uint8Array)]) })
  return { state, sent, send: (...bytes: number[]) => send(Uint8Array.from(bytes)) }
}

test('queues messages until the feed is live, then sends each once, in order', () => {
  const { state, sent, send } = feedWith('connecting')
  send(1)
  send(2, 3)
  expect(sent).toEqual([])
  state.value = 'live'
  send(4)
  expect(sent).toEqual([[1], [2, 3], [4]])
  state.value = 'reconnecting'
  send(5)
  state.value = 'live'
  send(6)
  expect(sent).toEqual([[1], [2, 3], [4], [6]])
})

test('sends nothing on a feed that ended before it was live', () => {
  const { state, sent, send } = feedWith('connecting')
  send(1)
  state.value = 'ended'
  send(2)
  expect(sent).toEqual([])
})

test('queues at most 64 KiB', () => {
  const { state, sent, send } = feedWith('connecting')
  send(...new Uint8Array(65_536).fill(7))
  send(8)
  state.value = 'live'
  expect(sent.map((message) => message.length)).toEqual([65_536])
})

test('sends at once on a feed that is live already', () => {
  const { sent, send } = feedWith('live')
  send(1)
  expect(sent).toEqual([[1]])
})
