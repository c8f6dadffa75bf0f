import { expect, test } from 'vitest'
import type { Deployment } from '../api/types.ts'
import { deploymentOf, previousOf } from './find-deployment.ts'

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

const rollback = (id: string, revision: number, rolled_back_to: string, status?: Status) => ({
  ...made(id, revision, { kind: 'rollback', ...(status && { status }) }),
  rolled_back_to,
})

test('after a rollback, goes further back than the rollback did', () => {
  const three = [made('c', 3), made('b', 2), made('a', 1)]
  expect(previous(...three)).toBe('b')
  expect(previous(rollback('d', 4, 'b'), ...three)).toBe('a')
  expect(previous(rollback('e', 5, 'a'), rollback('d', 4, 'b'), ...three)).toBeUndefined()
})

test('after a deploy that follows a rollback, returns what ran before that deploy', () => {
  const history = [rollback('c', 3, 'a'), made('b', 2), made('a', 1)]
  expect(previous(made('d', 4), ...history)).toBe('c')
  expect(previous(rollback('e', 5, 'c'), made('d', 4), ...history)).toBe('b')
  // Its files are still those of the rollback.
  expect(previous(made('d', 3), ...history)).toBe('b')
})

test('after a rollback that failed, returns what ran before it', () => {
  const history = [made('c', 3), made('b', 2), made('a', 1)]
  expect(previous(rollback('d', 4, 'a', 'failed'), ...history)).toBe('c')
})

test('after a rollback by an earlier version of the service, or to one that is gone', () => {
  expect(previous(made('c', 3, { kind: 'rollback' }), made('b', 2), made('a', 1))).toBe('b')
  expect(previous(rollback('c', 3, 'gone'), made('b', 2))).toBe('b')
})

const took = (id: string, revision: string, status?: Status) =>
  ({ ...made(id, 1, { ...(status && { status }) }), source: { revision } }) as Deployment
const byHand = (id: string) => ({ ...made(id, 1), source: null }) as Deployment
const [one, two] = [`1234567${'a'.repeat(33)}`, `1234567${'b'.repeat(33)}`]

test('finds the newest deployment of a commit that succeeded, by its ID or its first digits', () => {
  const ofOne = [took('d', one, 'failed'), took('c', one), took('b', one)]
  const all = [byHand('e'), ...ofOne, took('a', two)]
  const found = [one, '1234567A', two].map((text) => deploymentOf(all, text)?.id)
  expect(found).toEqual(['c', 'c', 'a'])
  expect(deploymentOf(all, '7654321')).toBeUndefined()
  const digest = `sha256:${'c'.repeat(64)}`
  for (const text of [digest, 'ccccccc', 'sha256:ccccccc']) {
    expect(deploymentOf([took('a', digest)], text)?.id).toBe('a')
  }
})

test('first digits of several commits are an error that lists them', () => {
  const all = [took('b', one), took('a', two)]
  expect(() => deploymentOf(all, '1234567')).toThrow('2 commits match')
  expect(() => deploymentOf(all, '1234567')).toThrow(
    expect.objectContaining({ exitCode: 2, hint: `use an id: ${one}, ${two}` }),
  )
})
