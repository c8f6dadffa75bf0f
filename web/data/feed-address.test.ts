import { expect, test } from 'vitest'
import { feedAddress } from './feed-address.ts'

const params = { id: 'a/b', tail: 5 }
const addressFor = (protocol: string, url?: string) =>
  feedAddress('/ws/logs/{id}', params, { ticket: 't', url }, { protocol, host: 'nas:8080' })

test('a feed is at the address of the page', () => {
  expect(addressFor('http:')).toBe('ws://nas:8080/api/v1/ws/logs/a%2Fb?tail=5&ticket=t')
  expect(addressFor('https:')).toBe('wss://nas:8080/api/v1/ws/logs/a%2Fb?tail=5&ticket=t')
})

test('a feed is where its ticket says', () => {
  expect(addressFor('https:', 'wss://feeds.example.org/x/api/v1')).toBe(
    'wss://feeds.example.org/x/api/v1/ws/logs/a%2Fb?tail=5&ticket=t',
  )
})
