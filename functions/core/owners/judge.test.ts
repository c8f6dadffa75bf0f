import { expect, test } from 'vitest'
import { label } from '../../compose/create/labels.ts'
import type { Reference } from '../../compose/references.ts'
import { judgeUse, type UseEvidence } from './judge.ts'

const volume: Reference = {
  kind: 'volume',
  name: 'shop_data',
  key: 'data',
  declared: 'own',
  path: ['volumes', 'data'],
}
const external: Reference = { ...volume, name: 'other_data', declared: 'external' }
const named: Reference = { ...external, declared: 'named' }
const network: Reference = { ...external, kind: 'network', name: 'proxy', path: ['networks', 'n'] }

const ownLabels = { [label.project]: 'shop', [label.volume]: 'data', [label.network]: 'data' }
const evidence = (given: Partial<UseEvidence> = {}): UseEvidence => ({
  stack: 'shop',
  reach: 'stack',
  predatesOwners: false,
  labels: {},
  owner: undefined,
  mayDeployOwner: false,
  isShared: false,
  isInstallation: false,
  wasUsed: false,
  ...given,
})
const refused = (status: number, ...parts: string[]) => ({
  status,
  text: expect.stringMatching(new RegExp(parts.join('.*'))),
})

const ownedBy = (stack: string) => ({ stack, how: 'recorded' as const })

test.each([volume, external, named, network])('allows what the stack owns: %j', (one) => {
  expect(judgeUse(one, evidence({ owner: ownedBy('shop') }))).toBe('use')
})

test('403: a volume that an earlier stack of the name left, unless the caller could use it', () => {
  const leftBy = { id: 'account', name: 'ada' }
  const given = { owner: { stack: 'shop', how: 'left' as const, leftBy } }
  for (const one of [volume, named, external]) {
    const verdict = judgeUse(one, evidence(given))
    expect(verdict).toEqual(refused(403, 'earlier stack shop', 'ada deleted', 'shared_volumes'))
    expect(judgeUse(one, evidence({ ...given, isShared: true }))).toBe('use')
    const taken = one === external ? 'use' : 'claim'
    expect(judgeUse(one, evidence({ ...given, mayDeployOwner: true }))).toBe(taken)
    expect(judgeUse(one, evidence({ ...given, reach: 'host' }))).toBe(taken)
  }
})

test('403: the resource of another stack, under an explicit name', () => {
  for (const one of [external, named, network]) {
    const owner = ownedBy('other')
    const verdict = judgeUse(one, evidence({ owner }))
    expect(verdict).toEqual(refused(403, 'another stack', `stacks.shared_${one.kind}s`))
    expect(judgeUse(one, evidence({ owner, mayDeployOwner: true }))).toBe('use')
    expect(judgeUse(one, evidence({ owner, isShared: true }))).toBe('use')
    expect(judgeUse(one, evidence({ owner, reach: 'host' }))).toBe('use')
  }
})

test('409: another stack owns the default name, for every caller', () => {
  const given = { owner: ownedBy('other'), isShared: true, reach: 'host' as const }
  expect(judgeUse(volume, evidence(given))).toEqual(refused(409, 'another stack', 'name:'))
  const may = judgeUse(volume, evidence({ ...given, mayDeployOwner: true }))
  expect(may).toEqual(refused(409, 'stack other'))
})

test('403: a volume without an owner, unless a setting lists it', () => {
  for (const one of [volume, external, named]) {
    expect(judgeUse(one, evidence())).toEqual(refused(403, 'no stack created it', 'shared_volumes'))
    expect(judgeUse(one, evidence({ isShared: true }))).toBe('use')
    expect(judgeUse(one, evidence({ reach: 'host' }))).toBe('use')
  }
})

test('allows networks without an owner and resources that do not exist yet', () => {
  expect(judgeUse(network, evidence())).toBe('use')
  for (const one of [volume, named]) {
    expect(judgeUse(one, evidence({ labels: undefined }))).toBe('use')
  }
})

test('refuses what is the installation’s, for every caller and every owner', () => {
  for (const one of [volume, external, named, network]) {
    const given = { isInstallation: true, isShared: true, reach: 'host' as const }
    expect(judgeUse(one, evidence(given))).toBe('installation')
    expect(judgeUse(one, evidence({ ...given, owner: ownedBy('shop') }))).toBe('installation')
  }
})

test('403: a network of a compose project that is no stack, unless a setting lists it', () => {
  const labels = { [label.project]: 'portainer' }
  const verdict = judgeUse(network, evidence({ labels }))
  expect(verdict).toEqual(refused(403, 'project portainer', 'stacks.shared_networks'))
  expect(judgeUse(network, evidence({ labels, isShared: true }))).toBe('use')
  expect(judgeUse(network, evidence({ labels, reach: 'host' }))).toBe('use')
})

test('403: has its labels, unless the stack can have things without a record', () => {
  for (const one of [volume, named, { ...network, declared: 'own' as const }]) {
    const given = { labels: ownLabels }
    expect(judgeUse(one, evidence({ ...given, predatesOwners: true }))).toBe('claim')
    expect(judgeUse(one, evidence({ ...given, reach: 'host' }))).toBe('claim')
    expect(judgeUse(one, evidence(given))).toEqual(refused(403, 'project shop outside'))
  }
})

test.each([
  ['of another project', { ...ownLabels, [label.project]: 'a' }],
  ['of another key', { ...ownLabels, [label.volume]: 'b_c' }],
])('403: a volume with the labels %s', (_what, labels) => {
  expect(judgeUse(volume, evidence({ labels }))).toEqual(refused(403))
})

test('403: an external volume, with any labels', () => {
  expect(judgeUse(external, evidence({ labels: ownLabels }))).toEqual(refused(403))
})
