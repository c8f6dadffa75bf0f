import { expect, test } from 'vitest'
import { heldBackImage } from '../../../adapters/testing/contract/samples.ts'
import type { StackUpdate } from '../records/stack-update.ts'
import type { UpdatePolicy } from '../records/update-policy.ts'
import { failedUpdate } from './failed-update.ts'

const bad: StackUpdate = {
  deploymentId: 'd1',
  outcome: 'bad',
  reason: 'its health check fails',
  at: 5,
  rollback: { state: 'done', attempts: 1, nextAt: 0, error: null },
}
const held = {
  ...heldBackImage,
  deploymentId: 'd1',
  before: `nginx@sha256:${'0'.repeat(64)}`,
  digest: `sha256:${'1'.repeat(64)}`,
  log: ['starting', 'no such table'],
}

test('nothing is wrong without an update, or with a good one', () => {
  expect(failedUpdate({})).toBe(undefined)
  expect(failedUpdate({ update: { ...bad, outcome: 'good' } })).toBe(undefined)
})

test('names the service, both images, the reason and the last lines of the log', () => {
  expect(failedUpdate({ update: bad, heldBack: [held, { ...held, deploymentId: 'd0' }] })).toBe(
    'web: docker.io/library/nginx:1 from sha256:000000000000 to sha256:111111111111: ' +
      'its health check fails\nstarting\nno such table',
  )
})

test('says nothing of an update that someone undid, unless that fails', () => {
  const undone = { ...bad, undoneBy: 'olga' }
  expect(failedUpdate({ update: undone, heldBack: [held] })).toBe(undefined)
  const rollback = { ...bad.rollback, state: 'due', error: 'no space left' }
  const failing = { ...undone, rollback } as StackUpdate
  expect(failedUpdate({ update: failing, heldBack: [held] })).toContain('no space left')
})

test('is over when someone allows what is held back', () => {
  expect(failedUpdate({ update: bad, heldBack: [] })).toBe(undefined)
})

test('says why no update could be made, or taken back', () => {
  const failed = { ...bad, outcome: 'failed' as const, reason: 'the registry is away' }
  const updatePolicy: UpdatePolicy = {
    mode: 'apply',
    window: null,
    minimumAgeHours: 72,
    except: [],
  }
  expect(failedUpdate({ update: failed, updatePolicy })).toBe('the registry is away')
  expect(failedUpdate({ update: failed, updatePolicy: { ...updatePolicy, mode: 'off' } })).toBe(
    undefined,
  )
  const due = { state: 'due' as const, attempts: 1, nextAt: 0, error: 'compose.yaml was edited' }
  expect(failedUpdate({ update: { ...bad, rollback: due }, heldBack: [held] })).toBe(
    'the images from before could not be deployed yet, it is tried again: compose.yaml was edited',
  )
  const rollback = { ...bad.rollback, state: 'failed', error: 'no space left' }
  expect(failedUpdate({ update: { ...bad, rollback } as StackUpdate, heldBack: [] })).toBe(
    'the images from before could not be deployed again: no space left',
  )
})
