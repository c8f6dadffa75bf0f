import { expect, test } from 'vitest'
import { type AnyStep, changesOf, countChanges, readPlan } from './plan-changes.ts'

const step = (words: string, reason: string): AnyStep => {
  const [action = '', kind = '', name = ''] = words.split(' ')
  return { action, kind, name, reason }
}
const replaced = (name: string, reason: string): AnyStep[] => [
  step(`recreate container 0123456789ab_${name}`, reason),
  step(`stop container ${name}`, reason),
  step(`remove container ${name}`, reason),
  step(`rename container 0123456789ab_${name}`, reason),
  step(`start container ${name}`, reason),
]

test('the steps that replace a container are one change, with its final name', () => {
  const [change, ...more] = changesOf(replaced('shop-web-1', 'config changed: ports, image'))
  expect(more).toEqual([])
  expect(change).toMatchObject({
    kind: 'container',
    name: 'shop-web-1',
    change: 'recreate',
    reason: 'config changed',
    fields: ['ports', 'image'],
  })
  expect(change?.steps).toHaveLength(5)
})

test('the references to accept are warnings with a kind of their own', () => {
  const reference = step('warning reference volume:films', 'the volume films: …; saved by olga')
  const other = step('warning bind /srv', 'is created')
  const { warnings, references } = readPlan([reference, other, step('create network n', 'none')])
  expect(warnings).toEqual([reference, other])
  expect(references).toEqual([reference])
})

test('fields that are left out stay one entry', () => {
  const [change] = changesOf(replaced('a', 'config changed: user, image and 4 more'))
  expect(change?.fields).toEqual(['user', 'image', '4 more'])
})

test('a container that stops and starts again restarts, for the reason of its stop', () => {
  const [change] = changesOf([
    step('stop container shop-web-1', 'restarts with db'),
    step('wait container shop-web-1', 'api depends on web'),
    step('start container shop-web-1', 'restarts with db'),
  ])
  expect(change).toMatchObject({ change: 'restart', reason: 'restarts with db' })
})

test.each([
  ['create container a', 'create'],
  ['remove container a', 'remove'],
  ['start container a', 'start'],
  ['stop container a', 'stop'],
  ['pull image a', 'fetch'],
  ['connect network a', 'other'],
])('%s is the change %s', (words, change) => {
  expect(changesOf([step(words, 'why')])[0]).toMatchObject({ change, reason: 'why', fields: [] })
})

test('a plan is read in its parts, and its changes are counted', () => {
  const plan = readPlan([
    step('warning service web', 'keeps a mounted file'),
    step('drift file compose.yaml', 'modified on the host'),
    step('write files /opt/stacks/shop', 'files changed'),
    step('create container shop-db-1', 'no container'),
    ...replaced('shop-web-1', 'image changed'),
    step('connect network shop_default', 'image changed'),
  ])
  expect(plan.warnings).toHaveLength(1)
  expect(plan.drift).toHaveLength(1)
  expect(plan.others.map(({ kind }) => kind)).toEqual(['files'])
  expect(countChanges(plan.containers)).toEqual([
    ['recreate', 1],
    ['create', 1],
  ])
})
