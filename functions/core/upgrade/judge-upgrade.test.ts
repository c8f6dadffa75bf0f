import { expect, test } from 'vitest'
import { memoryEngine } from '../../../adapters/testing/memory/engine.ts'
import { judgeUpgrade, type NewVersion, resultOf } from './judge-upgrade.ts'
import type { OwnContainer, OwnPlace } from './own-place.ts'
import { versionStep } from './version-step.ts'

const running = { version: '0.4.2', storeFormat: { reads: 3, writes: 2 } }
const amd64 = { os: 'linux', architecture: 'amd64' }

const container: OwnContainer = {
  engine: memoryEngine(),
  hostId: 'local',
  id: 'own',
  name: 'service',
  image: 'container-stacks:latest',
  imageId: 'sha256:old',
  data: { kind: 'volume', source: 'container-stacks_data' },
  compose: undefined,
}
const inContainer = (change: Partial<OwnContainer> = {}): OwnPlace => ({
  kind: 'container',
  container: { ...container, ...change },
})

const image = {
  name: 'container-stacks:0.5.0',
  id: 'sha256:new',
  isOfService: true,
  platform: amd64,
}
const good: NewVersion = { image, version: '0.5.0', storeFormat: { reads: 3, writes: 3 } }

const judge = (change: Partial<NewVersion>, place = inContainer(), others: string[] = []) => {
  const next = { ...good, ...change }
  const findings = judgeUpgrade({ running, place, platform: amd64, others, next })
  return [resultOf(findings), ...findings.map(({ kind, reason }) => `${kind} ${reason}`)]
}

test('allows the next minor version that the running one can follow back', () => {
  expect(judge({})).toEqual(['allowed'])
})

test.each<[string, Partial<NewVersion>, string[]]>([
  ['an older version', { version: '0.4.1' }, ['refused', 'refused older_version']],
  ['a skipped minor version', { version: '0.6.0' }, ['refused', 'refused skipped_version']],
  ['no version', { version: undefined }, ['allowed', 'note unknown_version']],
  [
    'a store that only a copy brings back',
    { storeFormat: { reads: 4, writes: 4 } },
    ['one_way', 'one_way converts_store'],
  ],
  [
    'a store that it cannot read',
    { storeFormat: { reads: 1, writes: 1 } },
    ['refused', 'refused unreadable_store'],
  ],
  [
    'unknown formats, which may convert the store',
    { storeFormat: undefined },
    ['one_way', 'one_way unknown_store_format'],
  ],
  [
    'unknown formats of a version without an image',
    { image: undefined, storeFormat: undefined },
    ['allowed', 'note unknown_store_format'],
  ],
  [
    'the image that runs',
    { image: { ...image, id: 'sha256:old' } },
    ['current', 'note same_image'],
  ],
  [
    'an image of others',
    { image: { ...image, isOfService: false } },
    ['refused', 'refused foreign_image'],
  ],
  [
    'an image for another processor',
    { image: { ...image, platform: { os: 'linux', architecture: 'arm64' } } },
    ['refused', 'refused other_platform'],
  ],
])('names %s', (_what, change, found) => {
  expect(judge(change)).toEqual(found)
})

test.each<[string, OwnPlace, string[]]>([
  ['no container', { kind: 'elsewhere' }, ['allowed', 'note not_in_a_container']],
  ['a container that is not found', { kind: 'unknown' }, ['allowed', 'note unknown_container']],
  ['no mount for the data', inContainer({ data: undefined }), ['refused', 'refused no_data_mount']],
  [
    'a volume without a name',
    inContainer({ data: { kind: 'volume', source: 'a1'.repeat(32) } }),
    ['allowed', 'note unnamed_volume'],
  ],
  [
    'a directory of the host',
    inContainer({ data: { kind: 'directory', source: '/srv/data' } }),
    ['allowed'],
  ],
])('finds %s', (_what, place, found) => {
  expect(judge({}, place)).toEqual(found)
})

test('names other processes, and refuses whatever else is found', () => {
  expect(judge({}, inContainer(), ['one', 'two'])).toEqual(['allowed', 'note other_processes'])
  const both = { version: '0.1.0', storeFormat: { reads: 4, writes: 4 } }
  expect(judge(both)).toEqual(['refused', 'refused older_version', 'one_way converts_store'])
})

test.each([
  ['0.4.2', '0.4.2', 'same'],
  ['0.4.2', '0.4.3', 'patch'],
  ['0.4.2', '0.4.1', 'older'],
  ['0.4.2', '0.5.0-rc.1', 'next'],
  ['0.9.2', '0.10.0', 'next'],
  ['0.4.2', '1.0.0', 'next'],
  ['0.4.2', '1.1.0', 'skips'],
  ['1.0.0', '3.0.0', 'skips'],
  ['1.2.0', '0.9.0', 'older'],
  ['1.2.0', '1.1.9', 'older'],
  ['1.2.0', 'latest', 'unknown'],
  ['1.2.0', '1.3', 'unknown'],
])('from %s to %s is %s', (from, to, step) => {
  expect(versionStep(from, to)).toBe(step)
})
