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

test('a channel of each service has its own fields', () => {
  const draft = { ...draftOf(undefined), name: 'phone', token: 'T', server: ' https://a.example ' }
  const server = 'https://a.example'
  expect(bodyOf({ ...draft, kind: 'gotify' })).toEqual({
    kind: 'gotify',
    name: 'phone',
    server,
    token: 'T',
  })
  expect(bodyOf({ ...draft, kind: 'telegram', server: '', chat: ' @ops ', thread: '7' })).toEqual({
    kind: 'telegram',
    name: 'phone',
    token: 'T',
    chat: '@ops',
    thread: 7,
  })
  expect(bodyOf({ ...draft, kind: 'pushover', user: 'U' })).toEqual({
    kind: 'pushover',
    name: 'phone',
    token: 'T',
    user: 'U',
    device: null,
  })
  expect(bodyOf({ ...draft, kind: 'matrix', room: '!a:b' })).toEqual({
    kind: 'matrix',
    name: 'phone',
    server,
    room: '!a:b',
    token: 'T',
  })
  const apprise = { ...draft, kind: 'apprise' as const, key: 'home', urls: 'json://b', tag: '' }
  const shown = { kind: 'apprise', name: 'phone', server, tag: null }
  expect(bodyOf(apprise)).toEqual({ ...shown, key: 'home', urls: null })
  expect(bodyOf({ ...apprise, place: 'urls' })).toEqual({ ...shown, key: null, urls: 'json://b' })
})

test('a change clears what the form shows empty, and keeps a place that is not given', () => {
  const telegram = { ...draftOf(undefined), kind: 'telegram' as const, name: 'a', chat: '@ops' }
  expect(changeOf(telegram)).toEqual({ name: 'a', chat: '@ops', thread: null })
  const apprise = { ...draftOf(undefined), kind: 'apprise' as const, name: 'a' }
  expect(changeOf(apprise)).toEqual({ name: 'a', tag: null })
  expect(changeOf({ ...apprise, place: 'urls', urls: 'json://b' })).toEqual({
    name: 'a',
    tag: null,
    key: null,
    urls: 'json://b',
  })
})
