import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { recordUnknown } from '../harness/unknown-messages.ts'
import { unknownMessages } from './unknown-messages.mjs'

test('lists each message of an Engine that has no row, the most frequent first', () => {
  const directory = mkdtempSync(join(tmpdir(), 'unknown-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const file = join(directory, 'unknown')
  expect(unknownMessages(file)).toEqual([])
  const line = (detail: unknown) => JSON.stringify({ level: 'warn', msg: 'x', detail })
  recordUnknown(['', 'no line of the log "detail":', line('No such image: a:1'), line(7)], file)
  expect(unknownMessages(file)).toEqual([])
  // The service's own reason for a refused credential.
  const credential = { status: 401, detail: 'the access token was issued 7 s in the future' }
  recordUnknown([JSON.stringify(credential)], file)
  expect(unknownMessages(file)).toEqual([])
  recordUnknown(
    [
      line('rare'),
      line('odd shop-1a2b3c4d of 0a1b2c3d4e5f'),
      line('odd web-9f8e7d6c of 12345678abcd'),
    ],
    file,
  )
  expect(unknownMessages(file)).toEqual(['2 × odd … of …', '1 × rare'])
})
