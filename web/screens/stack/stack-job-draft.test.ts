import { expect, test } from 'vitest'
import type { StackJob } from '../../data/stack-jobs.ts'
import { bodyOf, draftOf, isOtherWork } from './stack-job-draft.ts'

const job: StackJob = {
  stack: 'shop',
  job: 'nightly',
  service: 'web',
  command: ['npm', 'run', 'a b'],
  schedule: '30 3 * * *',
  timezone: 'Europe/Berlin',
  timeout_seconds: 90,
  keep_runs: 5,
  enabled: false,
  acts_as: { username: 'olga', since: '2026-06-01T12:00:00.000Z', blocked: null },
  next_run_at: null,
  last_run: null,
  last_skipped: null,
  created_at: '2026-06-01T12:00:00.000Z',
  updated_at: '2026-06-01T12:00:00.000Z',
}

test('a job that is not changed is saved as it was', () => {
  const body = bodyOf(draftOf(job), job.enabled)
  expect(job).toMatchObject(body)
  expect(isOtherWork(body, job)).toBe(false)
})

test('a new job has no command of its own, and a schedule', () => {
  const draft = { ...draftOf(undefined), job: ' a ', service: 'web ', timezone: 'UTC' }
  expect(bodyOf(draft, true)).toEqual({
    job: 'a',
    service: 'web',
    command: null,
    schedule: '0 3 * * *',
    timezone: 'UTC',
    timeout_seconds: 3600,
    keep_runs: 10,
    enabled: true,
  })
})

test('another command or service is other work, another schedule is not', () => {
  const draft = draftOf(job)
  expect(isOtherWork(bodyOf({ ...draft, schedule: '' }, true), job)).toBe(false)
  expect(isOtherWork(bodyOf({ ...draft, command: 'npm\nrun' }, true), job)).toBe(true)
  expect(isOtherWork(bodyOf({ ...draft, service: 'db' }, true), job)).toBe(true)
})
