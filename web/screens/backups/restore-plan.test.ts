import { expect, test } from 'vitest'
import type { BackupRun } from '../../data/backups.ts'
import { localHostId } from '../../host-ids.ts'
import { effectsOf, restorables, restoreBody } from './restore-plan.ts'

const object = (kind: 'stack' | 'volume' | 'system', source: string, stack: string | null) => ({
  name: `${kind}-${source}`,
  kind,
  source,
  stack,
  size: 1,
  sha256: '',
  bytes: 1,
  files: 1,
})
const contents: BackupRun['contents'] = [
  object('stack', 'shop', 'shop'),
  object('volume', 'shop_data', 'shop'),
  object('volume', 'pictures', null),
  object('system', 'system', null),
]

test('volumes of a stack are restored with it, the state of the service is not', () => {
  expect(restorables(contents)).toEqual([
    { kind: 'stack', name: 'shop', volumes: ['shop_data'] },
    { kind: 'volume', name: 'pictures', volumes: [] },
  ])
})

test('replaces what exists, and creates the rest', () => {
  const all = restorables(contents)
  const present = { stacks: ['shop'], volumes: ['shop_data'] }
  expect(effectsOf(all, '', present)).toEqual([
    { kind: 'stack', name: 'shop', replaces: ['shop_data'], isReplaced: true },
    { kind: 'volume', name: 'pictures', replaces: [], isReplaced: false },
  ])
})

test('a stack under a new name replaces one of that name, its volumes, and those with own names', () => {
  const shop = { kind: 'stack' as const, name: 'shop', volumes: ['shop_data', 'pictures'] }
  const there = { stacks: ['shop', 'shop-2'], volumes: ['shop_data', 'shop-2_data', 'pictures'] }
  expect(effectsOf([shop], 'shop-2', there)).toEqual([
    { kind: 'stack', name: 'shop-2', replaces: ['shop-2_data', 'pictures'], isReplaced: true },
  ])
  // What a stack that was taken down has left is lost, too.
  expect(effectsOf([shop], 'old', { stacks: [], volumes: ['old_data'] })).toMatchObject([
    { replaces: ['old_data'], isReplaced: true },
  ])
})

test('a stack under a new name replaces nothing', () => {
  const [shop] = restorables(contents)
  if (!shop) throw new Error('no stack')
  const present = { stacks: ['shop'], volumes: ['shop_data'] }
  expect(effectsOf([shop], 'shop-2', present)).toEqual([
    { kind: 'stack', name: 'shop-2', replaces: [], isReplaced: false },
  ])
  expect(restoreBody([shop], { host: localHostId, rename: 'shop-2', overwrite: false })).toEqual({
    sources: [{ kind: 'stack', name: 'shop' }],
    host: 'local',
    stack_name: 'shop-2',
  })
})
