import { expect, test } from 'vitest'
import type { Deployment } from '../api/types.ts'
import { previousOf } from './find-deployment.ts'

type Kind = Deployment['kind']
type Status = Deployment['status']

const made = (
  id: string,
  revision: number,
  { kind = 'deploy' as Kind, status = 'succeeded' as Status, image = 'sha256:a', env = null } = {},
) =>
  ({
    id,
    kind,
    status,
    revision,
    environment: env,
    images: { web: image },
  }) as unknown as Deployment

const previous = (...newestFirst: Deployment[]) => previousOf(newestFirst)?.id

test('is the last successful deployment with other files', () => {
  expect(previous(made('c', 3), made('b', 2), made('a', 1))).toBe('b')
  expect(previous(made('b', 2), made('a', 1, { status: 'failed' }))).toBeUndefined()
  expect(previous(made('a', 1))).toBeUndefined()
  expect(previous()).toBeUndefined()
})

test('skips deployments that changed nothing, and those that stopped or restarted', () => {
  const noChange = made('d', 3)
  const stop = made('s', 3, { kind: 'stop' })
  expect(previous(stop, noChange, made('c', 3), stop, made('b', 2))).toBe('b')
})

test('an image that moved under its tag makes a difference', () => {
  expect(previous(made('b', 1, { image: 'sha256:b' }), made('a', 1))).toBe('a')
})

test('after a failed deployment, returns the last one that succeeded', () => {
  const failed = (id: string) => made(id, 3, { status: 'failed', image: '' })
  expect(previous(failed('e'), failed('d'), made('c', 2), made('a', 1))).toBe('c')
})

test('after a rollback, returns the deployment that was rolled back', () => {
  expect(previous(made('c', 3, { kind: 'rollback' }), made('b', 2), made('a', 1))).toBe('b')
})
