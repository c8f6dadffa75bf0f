import { expect, test } from 'vitest'
import type { Client } from '../api/client.ts'
import { lookForUpdates } from './look-for-updates.ts'

const date = 'Mon, 01 Jun 2026 12:00:00 GMT'

/** A client whose lists have one service each, with these times of the next look. */
function clientOf(...times: readonly string[]) {
  const requests: string[] = []
  const rest = [...times]
  const answer = { headers: { date } }
  const get = async () => {
    requests.push('get')
    const next_check_at = rest.length > 1 ? rest.shift() : rest[0]
    return { value: [{ state: 'unknown', next_check_at }], answer }
  }
  const post = async () => ({ value: { tags: 1 }, answer })
  return { client: { get, post } as unknown as Pick<Client, 'get' | 'post'>, requests }
}

async function notesOf(client: Pick<Client, 'get' | 'post'>, io = {}, total = 60_000) {
  const notes: string[] = []
  const print = { note: (text: string) => void notes.push(text) }
  await lookForUpdates('shop', { client, print, io }, { interval: 1, total })
  return notes
}

test('asks until the next look is in the future', async () => {
  const before = '2026-06-01T12:00:00.900Z'
  const { client, requests } = clientOf(before, before, '2026-06-01T18:00:00.000Z')
  expect(await notesOf(client)).toEqual(['asking registries'])
  expect(requests).toHaveLength(3)
})

test('ends with a note if no registry was asked in time', async () => {
  const { client } = clientOf('2026-06-01T11:59:00.000Z')
  expect(await notesOf(client, {}, 0)).toEqual([
    'asking registries',
    'not looked at yet: the images of services: 1',
  ])
})

test('130: an interrupt ends the waiting', async () => {
  const { client } = clientOf('2026-06-01T11:59:00.000Z')
  const onInterrupt = (listener: () => void) => {
    setImmediate(listener)
    return () => {}
  }
  await expect(notesOf(client, { onInterrupt })).rejects.toMatchObject({
    exitCode: 130,
    message: expect.stringContaining('the service goes on asking'),
  })
})
