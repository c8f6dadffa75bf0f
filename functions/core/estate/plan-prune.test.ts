import { expect, test } from 'vitest'
import { type EstateThing, keyOf } from '../records/estate.ts'
import { type DatedThing, planPrune, withoutGone, withoutThing, withThing } from './plan-prune.ts'

const thing = (
  section: EstateThing['section'],
  name: string,
  more: Partial<EstateThing> = {},
): EstateThing => ({ section, name, createdAt: 1, at: 2, by: 'ada', ...more })

const foundOf = (...things: DatedThing[]) => new Map(things.map((one) => [keyOf(one), one]))
const home = (...things: EstateThing[]) => ({ id: 'home', things })
const other = (...things: EstateThing[]) => ({ id: 'other', things })
const shop = thing('stacks', 'shop')
const ops = thing('channels', 'Ops')

test.each([
  ['what the file does not declare', [shop], [], [shop], [], ['shop'], []],
  ['not what the file declares', [shop], ['stacks/shop'], [shop], [], [], []],
  ['not what it declares in another case', [ops], ['channels/ops'], [ops], [], [], []],
  ['what is called so in another case', [ops], [], [thing('channels', 'OPS')], [], ['Ops'], []],
  ['not what is gone', [shop], [], [], [], [], []],
  ['not what was made again', [shop], [], [thing('stacks', 'shop', { createdAt: 2 })], [], [], []],
  ['not what is not in its record', [], [], [shop], [], [], []],
  ['not what another estate has too', [shop], [], [shop], [other(shop)], [], ['shop']],
  [
    'what another estate had before it was made again',
    [shop],
    [],
    [shop],
    [other(thing('stacks', 'shop', { createdAt: 0 }))],
    ['shop'],
    [],
  ],
  ['its own record is not another one', [shop], [], [shop], [home(shop)], ['shop'], []],
] as const)('prunes %s', (_, owned, declared, found, others, doomed, shared) => {
  const undeclared = planPrune(home(...owned), new Set<string>(declared), foundOf(...found), others)
  expect(undeclared.doomed.map(({ name }) => name)).toEqual(doomed)
  expect(undeclared.shared.map(({ name }) => name)).toEqual(shared)
})

test('deletes in the reverse of the order in which things are made', () => {
  const owned = [
    thing('registries', 'registry.example.org'),
    thing('stacks', 'base'),
    thing('stacks', 'shop'),
    thing('alert_rules', 'Busy'),
    thing('roles', 'keeper'),
    thing('backup_jobs', 'nightly'),
    thing('sources', 'git'),
    thing('update_policies', 'default'),
    thing('channels', 'Ops'),
    thing('stack_policies', 'kept'),
  ]
  const { doomed } = planPrune(home(...owned), new Set(), foundOf(...owned), [])
  expect(doomed.map(({ name }) => name)).toEqual([
    ...['Busy', 'default', 'kept', 'nightly', 'shop', 'base', 'git', 'Ops', 'keeper'],
    'registry.example.org',
  ])
})

test('the policy of a stack goes with the stack, and alone if the stack stays', () => {
  const policy = thing('stack_policies', 'shop')
  const namesOf = (declared: string[]) =>
    planPrune(home(shop, policy), new Set(declared), foundOf(shop, policy), []).doomed.map(keyOf)
  expect(namesOf([])).toEqual(['stacks/shop'])
  expect(namesOf(['stacks/shop'])).toEqual(['stack_policies/shop'])
})

test('forgets what is gone, but nothing that the caller does not see', () => {
  const again = thing('stacks', 'again', { createdAt: 9 })
  const owned = [shop, ops, thing('stacks', 'again')]
  const found = foundOf(shop, again)
  expect(withoutGone(owned, found, () => true)).toEqual([shop])
  expect(withoutGone(owned, found, (section) => section !== 'channels')).toEqual([shop, ops])
})

test('a thing is in the record once, with the time at which it was first taken', () => {
  const later = thing('channels', 'OPS', { at: 9, by: 'eve' })
  expect(withThing([shop, ops], later)).toEqual([shop, ops])
  const again = thing('channels', 'Ops', { createdAt: 5, at: 9 })
  expect(withThing([ops, shop], again)).toEqual([shop, again])
  expect(withoutThing([shop, ops], later)).toEqual([shop])
  expect(withoutThing([shop, thing('stack_policies', 'shop'), ops], shop)).toEqual([ops])
})
