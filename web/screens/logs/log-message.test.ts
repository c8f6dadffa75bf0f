import { expect, test } from 'vitest'
import { linesOf } from './log-message.ts'

const time = '2026-11-23T10:00:00Z'

test('a message is one or more lines of its service', () => {
  const message = { service: 'web', container_id: 'a', stream: 'stderr', time } as const
  expect(linesOf({ ...message, data: 'one\n\ntwo\n' }, 'shop')).toEqual(
    ['one', '', 'two'].map((text) => ({ time, text, source: 'shop/web', kind: 'stderr' })),
  )
})

test('the end of a container is a line of ours', () => {
  expect(linesOf({ end: { exit_code: 137 } })).toMatchObject([
    { kind: 'note', source: '', text: 'Ended with exit code 137' },
  ])
})
