import { expect, test } from 'vitest'
import type { Deployment } from '../../data/stack-operations.ts'
import { en } from '../../text/en.ts'
import { setTexts } from '../../text/text.ts'
import { resultWords, serviceIn, whatChanged } from './what-changed.ts'

setTexts(en)

type Image = { before: string; after: string }

const step = (words: string, reason = 'why', image?: Image) => {
  const [action = '', kind = '', name = ''] = words.split(' ')
  const report = { status: 'done' as const, ms: 1, error: null }
  return { action, kind, name, reason, ...report, ...(image && { image }) }
}
const replaced = (name: string, reason: string, image?: Image) => [
  step(`recreate container 0123456789ab_${name}`, reason, image),
  step(`stop container ${name}`, reason),
  step(`remove container ${name}`, reason),
  step(`start container ${name}`, reason),
]
const words = (...steps: ReturnType<typeof step>[]) => whatChanged({ stack: 'shop', steps })
const image = { before: 'nginx:1.27', after: 'nginx:1.29' }

test('a changed image is named before and after, once for all containers of its service', () => {
  const steps = [
    ...replaced('shop-web-1', 'config changed: image', image),
    ...replaced('shop-web-2', 'config changed: image', image),
    ...replaced('shop-db-1', 'config changed: environment.A, ports'),
  ]
  expect(words(...steps)).toBe(
    'image nginx:1.27 → nginx:1.29 of web · db recreated (environment.A, ports)',
  )
})

test('an image that was only pulled again has the same name', () => {
  expect(words(...replaced('shop-web-1', 'image changed'))).toBe('new image of web')
})

test('many services are counted, and so are many images', () => {
  const names = ['a', 'b', 'c', 'd']
  expect(words(...names.map((name) => step(`create container shop-${name}-1`)))).toBe(
    '4 services created',
  )
  expect(words(...names.flatMap((name) => replaced(`shop-${name}-1`, 'x', image)))).toBe(
    'image nginx:1.27 → nginx:1.29 of a · image nginx:1.27 → nginx:1.29 of b · 2 more images',
  )
})

test('what changes no container says what it changes instead', () => {
  expect(words(step('pull image redis:7'))).toBe('redis:7 fetched')
  expect(words(step('pull image a'), step('build image b'))).toBe('2 images fetched')
  expect(words(step('write files /opt/stacks/shop'))).toBe('1 change')
  expect(words()).toBe('Nothing to do')
})

test.each([
  [{ error: 'no such image' }, 'no such image'],
  [{ status: 'running' as const }, ''],
  [{}, 'redis:7 fetched'],
  [{ steps: [] }, 'Nothing to do'],
  [{ steps: [], services: ['web', 'db'] }, 'web, db'],
])('a deployment with %o: %s', (more, text) => {
  const steps = [step('pull image redis:7')]
  const ended = { stack: 'shop', status: 'succeeded', error: null, services: [], steps, ...more }
  expect(resultWords(ended as unknown as Deployment)).toBe(text)
})

test.each([
  [{ error: 'no such image' }, 'Back to revision 3 · no such image'],
  [{ status: 'running' as const }, 'Back to revision 3'],
  [{}, 'Back to revision 3 · redis:7 fetched'],
])('a rollback with %o says which revision it goes back to', (more, text) => {
  const steps = [step('pull image redis:7')]
  const ended = { stack: 'shop', status: 'succeeded', error: null, services: [], steps, ...more }
  expect(resultWords(ended as unknown as Deployment, 3)).toBe(text)
})

test.each([
  ['shop-web-1', 'web'],
  ['shop-my-web-12', 'my-web'],
  ['shop', 'shop'],
  ['plex', 'plex'],
  ['other-web-1', 'other-web-1'],
])('the container %s is of the service %s', (name, service) => {
  expect(serviceIn(name, 'shop')).toBe(service)
})
