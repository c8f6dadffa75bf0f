import { expect, test } from 'vitest'
import { decideInstallation, type InstallationState } from './decide-installation.ts'

const id = '01a204dd-9ec2-737e-ad41-5bf707085ef4'
const nothing: InstallationState = {
  here: undefined,
  stored: undefined,
  hasKeys: false,
  hasHistory: false,
  isSetUp: false,
}

test.each<[string, Partial<InstallationState>, string]>([
  ['a first start', {}, 'create'],
  [
    'an installation from before IDs existed',
    { hasKeys: true, hasHistory: true, isSetUp: true },
    'create',
  ],
  ['one that was started but never set up', { hasKeys: true }, 'create'],
  [
    'its own store',
    { here: { id, stored: true }, stored: id, hasKeys: true, isSetUp: true },
    'same',
  ],
  ['a start that was killed between the two writes', { here: { id, stored: false } }, 'finish'],
  [
    'a process with copies of the keys, or a restored service',
    { stored: id, hasKeys: true, isSetUp: true },
    'join',
  ],
  [
    'another store',
    { here: { id, stored: true }, stored: 'other', hasKeys: true },
    'another data directory',
  ],
  [
    'a store that lost everything',
    { here: { id, stored: true }, hasKeys: true },
    'the store is empty',
  ],
  ['the same, from before IDs existed', { hasKeys: true, hasHistory: true }, 'the store is empty'],
  ['a new data directory', { stored: id, isSetUp: true }, 'does not hold its keys'],
  ['the same, from before IDs existed', { isSetUp: true }, 'does not hold its keys'],
])('decides about a data directory with a store: %s', (_name, evidence, expected) => {
  const verdict = decideInstallation({ ...nothing, ...evidence })
  if (typeof verdict === 'string') expect(verdict).toBe(expected)
  else expect(verdict.refusal).toContain(expected)
})
