import { expect, test } from 'vitest'
import { type AvailableKeys, findLostKeys, type RequiredKeys } from './lost-keys.ts'

const here: AvailableKeys = {
  secretKeys: ['s2', 's1'],
  auditKeys: ['a1'],
  hasSigningKeys: true,
  hasAuthority: true,
  hasIdentity: true,
  hasInternalSecret: true,
}
const needed: RequiredKeys = {
  secretKeys: ['s1'],
  auditKeys: { newest: 'a1', oldest: 'a1' },
  hasEnrolledAgents: true,
  hasEncryptedBackups: true,
}
const nothing: RequiredKeys = {
  secretKeys: [],
  auditKeys: { newest: undefined, oldest: undefined },
  hasEnrolledAgents: false,
  hasEncryptedBackups: false,
}

test('reports no lost key if all keys exist or the store needs none', () => {
  expect(findLostKeys(here, needed)).toEqual([])
  const none = { secretKeys: [], auditKeys: [], hasAuthority: false }
  expect(findLostKeys({ ...here, ...none }, nothing)).toEqual([])
})

test.each<[string, Partial<AvailableKeys>, Partial<RequiredKeys>, RegExp]>([
  ['secret-key', { secretKeys: [] }, {}, /with key s1,/],
  ['secret-key', {}, { secretKeys: ['s1', 's3', 's4'] }, /with keys s3, s4,/],
  ['audit-key', { auditKeys: [] }, {}, /with key a1,/],
  ['audit-key', {}, { auditKeys: { newest: 'a2', oldest: 'a1' } }, /with key a2,/],
  ['agent-authority.pem', { hasAuthority: false }, {}, /agents are enrolled/],
  ['backup-identity.txt', { hasIdentity: false }, {}, /encrypted backups/],
])('needs a remedy for %s: %j, %j', (file, isHere, isNeeded, why) => {
  const lost = findLostKeys({ ...here, ...isHere }, { ...needed, ...isNeeded })
  expect(lost).toEqual([
    {
      file,
      why: expect.stringMatching(why),
      remedy: expect.stringContaining('--accept-lost-keys'),
    },
  ])
})

test.each<[string, Partial<AvailableKeys>, Partial<RequiredKeys>]>([
  ['signing-keys.json', { hasSigningKeys: false }, {}],
  ['internal-secret', { hasInternalSecret: false }, {}],
  ['backup-identity.txt', { hasIdentity: false }, { hasEncryptedBackups: false }],
  ['audit-key', {}, { auditKeys: { newest: 'a1', oldest: 'a0' } }],
])('continues without %s and says so', (file, isHere, isNeeded) => {
  const lost = findLostKeys({ ...here, ...isHere }, { ...needed, ...isNeeded })
  expect(lost).toEqual([{ file, why: expect.any(String) }])
})
