import { expect, test } from 'vitest'
import { listening } from './testing/listener.ts'

const limits = { bodyBytes: 1024 }

test('a handler that reads the bytes of a body gets them, of any type and length', async () => {
  await using service = await listening({ limits })
  for (const length of [0, 1, 2048]) {
    const body = Buffer.alloc(length, 0xff)
    const headers = { 'Content-Type': 'application/x-none' }
    const url = `http://127.0.0.1:${service.port}/api/v1/bytes`
    const answer = await fetch(url, { method: 'POST', headers, body })
    expect([answer.status, await answer.json()]).toEqual([200, { count: length }])
  }
})

test('it can respond before it has read all of a body', async () => {
  await using service = await listening({ limits })
  const url = `http://127.0.0.1:${service.port}/api/v1/bytes`
  const answer = await fetch(url, { method: 'POST', body: Buffer.alloc(300_000) })
  expect([answer.status, await answer.json()]).toEqual([404, { error: 'more than 2048 bytes' }])
})
