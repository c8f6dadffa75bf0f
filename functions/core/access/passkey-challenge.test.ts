import { expect, test } from 'vitest'
import { memoryPorts } from '../../../adapters/testing/memory/stores.ts'
import {
  challengeLifetime,
  claimChallenge,
  isCurrentChallenge,
  makeChallenge,
} from './passkey-challenge.ts'

const signIn = { kind: 'sign-in' } as const
const registration = { kind: 'registration', accountId: 'anna', sessionId: 's1' } as const

test('a challenge is valid for its purpose, for five minutes', () => {
  const ports = memoryPorts()
  for (const purpose of [signIn, registration]) {
    const challenge = makeChallenge(purpose, ports)
    const now = ports.clock.now()
    expect(isCurrentChallenge(challenge, purpose, ports)).toBe(true)
    ports.clock.set(now + challengeLifetime - 1)
    expect(isCurrentChallenge(challenge, purpose, ports)).toBe(true)
    ports.clock.set(now + challengeLifetime)
    expect(isCurrentChallenge(challenge, purpose, ports)).toBe(false)
    // A clock that was ahead made it.
    ports.clock.set(now - 5 * 60_000 - 1)
    expect(isCurrentChallenge(challenge, purpose, ports)).toBe(false)
    ports.clock.set(now)
  }
})

test('a challenge is not valid for another purpose, account or session', () => {
  const ports = memoryPorts()
  const purposes = [
    signIn,
    registration,
    { ...registration, accountId: 'bob' },
    { ...registration, sessionId: 's2' },
  ]
  for (const purpose of purposes) {
    const challenge = makeChallenge(purpose, ports)
    const valid = purposes.filter((one) => isCurrentChallenge(challenge, one, ports))
    expect(valid).toEqual([purpose])
  }
})

test('only its own spelling is valid, and nothing that was changed', () => {
  const ports = memoryPorts()
  const challenge = makeChallenge(signIn, ports)
  const last = challenge.slice(0, -1) + (challenge.endsWith('A') ? 'B' : 'A')
  const first = (challenge.startsWith('B') ? 'C' : 'B') + challenge.slice(1)
  const longer = [`${challenge}=`, ` ${challenge}`, `${challenge}AA`]
  for (const other of ['', 'AAAA', ...longer, last, first]) {
    expect(isCurrentChallenge(other, signIn, ports)).toBe(false)
  }
  expect(isCurrentChallenge(challenge, signIn, memoryPorts())).toBe(true)
  const elsewhere = memoryPorts()
  elsewhere.browserSecrets.keys.splice(0, 1, 'another key')
  expect(isCurrentChallenge(challenge, signIn, elsewhere)).toBe(false)
})

test('a rotation of keys ends no challenge', () => {
  const ports = memoryPorts()
  const challenge = makeChallenge(signIn, ports)
  ports.browserSecrets.keys.unshift('second key')
  expect(isCurrentChallenge(challenge, signIn, ports)).toBe(true)
})

test('one of fifty simultaneous claims succeeds', async () => {
  const ports = memoryPorts()
  const challenge = makeChallenge(signIn, ports)
  const claims = await Promise.all(
    Array.from({ length: 50 }, () => claimChallenge(challenge, ports)),
  )
  expect(claims.filter(Boolean)).toHaveLength(1)
})
