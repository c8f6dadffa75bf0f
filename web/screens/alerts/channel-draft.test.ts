import { expect, test } from 'vitest'
import { bodyOf, changeOf, draftOf } from './channel-draft.ts'

test('a new channel has the fields of its kind alone', () => {
  const draft = { ...draftOf(undefined), name: ' phone ', topic: 'nas' }
  expect(bodyOf(draft)).toEqual({ kind: 'ntfy', name: 'phone', topic: 'nas', token: null })
  const url = 'http://192.0.2.1/hook'
  expect(bodyOf({ ...draft, kind: 'webhook', url, secret: 's' })).toEqual({
    kind: 'webhook',
    name: 'phone',
    url,
    secret: 's',
  })
})

test('a change omits empty fields, so that stored secrets stay', () => {
  const draft = { ...draftOf(undefined), name: 'phone', topic: '', token: '' }
  expect(changeOf(draft)).toEqual({ name: 'phone' })
})
