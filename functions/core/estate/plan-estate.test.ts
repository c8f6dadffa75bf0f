import { expect, test } from 'vitest'
import {
  type EstateSection,
  type PresentThing,
  planEstate,
  type Reference,
  type WantedThing,
} from './plan-estate.ts'

const there = (section: EstateSection, name: string, fields: object = {}): PresentThing => ({
  section,
  name,
  fields: new Map(Object.entries(fields)),
})

const wants = (
  section: EstateSection,
  name: string,
  fields: object = {},
  more: { fixed?: string[]; refersTo?: Reference[] } = {},
): WantedThing => ({
  section,
  name,
  fields: new Map(Object.entries(fields)),
  fixed: more.fixed ?? [],
  refersTo: more.refersTo ?? [],
})

const from = { from: 'PASSWORD' }

test.each([
  ['what is not there is created', wants('roles', 'a', { x: 1 }), [], 'create', []],
  ['equal fields need nothing', wants('roles', 'a', { x: [1] }), [{ x: [1] }], 'nothing', []],
  ['another value', wants('roles', 'a', { x: [1], y: 2 }), [{ x: [2], y: 2 }], 'change', ['x']],
  ['the order of a list', wants('roles', 'a', { x: [1, 2] }), [{ x: [2, 1] }], 'change', ['x']],
  [
    'what the file leaves out stays',
    wants('roles', 'a', { x: undefined }),
    [{ x: 1 }],
    'nothing',
    [],
  ],
  ['null takes a value away', wants('roles', 'a', { x: null }), [{ x: 1 }], 'change', ['x']],
  ['null and missing are equal', wants('roles', 'a', { x: null }), [{}], 'nothing', []],
  [
    'a stored secret is kept',
    wants('roles', 'a', { x: from }),
    [{ x: { from: 'B' } }],
    'nothing',
    [],
  ],
  ['a secret that is missing', wants('roles', 'a', { x: from }), [{ x: null }], 'change', ['x']],
  ['no secret any more', wants('roles', 'a', { x: null }), [{ x: from }], 'change', ['x']],
  [
    'a secret inside',
    wants('roles', 'a', { t: { k: 1, p: from } }),
    [{ t: { k: 1, p: from } }],
    'nothing',
    [],
  ],
  [
    'a field inside',
    wants('roles', 'a', { t: { k: 1, p: from } }),
    [{ t: { k: 2, p: from } }],
    'change',
    ['t'],
  ],
  ['one more field inside', wants('roles', 'a', { t: {} }), [{ t: { k: 1 } }], 'change', ['t']],
  [
    'an object that only looks like a secret',
    wants('roles', 'a', { t: { from: 'a', to: 'b' } }),
    [{ t: { from: 'c', to: 'b' } }],
    'change',
    ['t'],
  ],
] as const)('%s', (_, wanted, present, action, fields) => {
  const found = present.map((one) => there('roles', 'a', one))
  expect(planEstate([wanted], found, new Set())).toEqual([
    { section: 'roles', name: 'a', action, fields, problems: [] },
  ])
})

test('names of channels, backup jobs and alert rules are the same in any case, others are not', () => {
  const sections = ['channels', 'backup_jobs', 'alert_rules', 'stacks'] as const
  const wanted = sections.map((section) => wants(section, 'Ops'))
  const present = sections.map((section) => there(section, 'ops'))
  const steps = planEstate(wanted, present, new Set())
  expect(steps.map(({ section, action }) => `${section}: ${action}`)).toEqual([
    'channels: nothing',
    'stacks: create',
    'backup_jobs: nothing',
    'alert_rules: nothing',
  ])
})

test('steps are in the order in which things can be made, and keep that of the file', () => {
  const sections = ['alert_rules', 'stacks', 'registries', 'stacks'] as const
  const wanted = sections.map((section, at) => wants(section, `n${at}`))
  expect(planEstate(wanted, [], new Set()).map(({ name }) => name)).toEqual([
    'n2',
    'n1',
    'n3',
    'n0',
  ])
})

test('a field that cannot be changed is a problem, but not of a new thing', () => {
  const wanted = wants('sources', 'a', { url: 'x' }, { fixed: ['url'] })
  const [changed] = planEstate([wanted], [there('sources', 'a', { url: 'y' })], new Set())
  expect(changed).toMatchObject({
    action: 'change',
    problems: [expect.stringMatching(/^url: cannot be changed/)],
  })
  expect(planEstate([wanted], [], new Set())[0]?.problems).toEqual([])
})

test('what a thing refers to is in the file, there, or not to be seen', () => {
  const refersTo = [{ field: 'channels', section: 'channels' as const, name: 'Ops' }]
  const rule = wants('alert_rules', 'busy', {}, { refersTo })
  const problemsOf = (...[wanted, present, unseen]: Parameters<typeof planEstate>) =>
    planEstate(wanted, present, unseen).flatMap(({ problems }) => problems)
  expect(problemsOf([rule], [], new Set())).toEqual([
    'channels: Ops is neither in the file nor there',
  ])
  expect(problemsOf([rule, wants('channels', 'ops')], [], new Set())).toEqual([])
  expect(problemsOf([rule], [there('channels', 'ops')], new Set())).toEqual([])
  expect(problemsOf([rule], [], new Set(['channels'] as const))).toEqual([])
})

test('nothing is known of a section that the caller may not see', () => {
  const present = [there('roles', 'a', { x: 1 })]
  expect(planEstate([wants('roles', 'a', { x: 2 })], present, new Set(['roles'] as const))).toEqual(
    [{ section: 'roles', name: 'a', action: 'unknown', fields: [], problems: [] }],
  )
})
