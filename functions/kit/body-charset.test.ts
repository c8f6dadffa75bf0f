import { expect, test } from 'vitest'
import { z } from 'zod'
import { readBody } from './body.ts'
import type { HttpEvent } from './event.ts'

const read = (contentType: string) => {
  const event = {
    headers: { 'content-type': contentType },
    body: '{"a":1}',
    isBase64Encoded: false,
  }
  return readBody(event as unknown as HttpEvent, z.object({ a: z.number() }))
}

test.each([
  ...['application/json', 'application/json; charset=utf-8', 'application/json;charset=UTF-8'],
  ...[
    'Application/JSON; Charset="utf-8"',
    'application/json; charset=utf8',
    'application/json; a=b',
  ],
])('accepts %s', async (contentType) => {
  expect(await read(contentType)).toEqual({ a: 1 })
})

test.each([
  ...[
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
    'application/json;charset=',
  ],
  ...['application/json; charset="utf-7"', 'application/json; charset=utf-8; charset=utf-16'],
  ...['application/json ; CHARSET = us-ascii', 'application/json; charset=utf-8x'],
  ...['application/json; charset*=utf-16', "application/json; Charset*=utf-8''utf-16"],
  ...['application/json; charset*0=utf-; charset*1=16', 'application/json; charset*0*=utf-16'],
])('400: %s', async (contentType) => {
  await expect(read(contentType)).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('must be utf-8'),
  })
})
