import { expect, test } from 'vitest'
import { en } from '../../text/en.ts'
import { setTexts } from '../../text/text.ts'
import { linesOf } from './log-message.ts'

setTexts(en)

const time = '2026-11-23T10:00:00Z'

test('a message is one or more lines of its service', () => {
  const message = { service: 'web', container_id: 'a', stream: 'stderr', time } as const
  expect(linesOf({ ...message, data: 'one\n\ntwo\n' }, 'shop')).toEqual(
    ['one', '', 'two'].map((text) => ({
      time,
      text,
      source: 'shop/web',
      kind: 'stderr',
      origin: 'a',
    })),
  )
  const times = [time, '2026-11-23T10:00:01Z']
  const timed = linesOf({ stream: 'stdout', time, times, data: 'one\ntwo\n' })
  expect(timed.map((line) => line.time)).toEqual(times)
})

test('the end of a container is a line of ours', () => {
  expect(linesOf({ end: { exit_code: 137 } })).toMatchObject([
    { kind: 'note', source: '', text: 'Ended with exit code 137' },
  ])
})

test('a log that cannot be read is a line of ours, with its service', () => {
  const error = 'the log of the container cannot be read: its log driver (none) does not support it'
  expect(linesOf({ service: 'web', container_id: 'a', error }, 'shop')).toMatchObject([
    { kind: 'note', source: 'shop/web', text: error },
  ])
})
