import { expect, test } from 'vitest'
import type { StackRecord } from '../records/stack.ts'
import type { JobRun } from '../records/stack-job.ts'
import { type JobFacts, type JobTimes, nextRunOf, turnOf, whySkipped } from './decide-job.ts'

const at = (time: string) => Date.parse(`2026-06-01T${time}:00Z`)
const noon = at('12:00')
const hour = 3_600_000

const run = (startedAt: number, status: JobRun['status'] = 'succeeded'): JobRun => ({
  id: `run-${startedAt}`,
  status,
  startedAt,
  finishedAt: null,
  by: 'schedule',
  exitCode: null,
  error: null,
})

const hourly: JobTimes = {
  enabled: true,
  nextRunAt: at('13:00'),
  runs: [run(noon)],
  schedule: '0 * * * *',
  timezone: 'UTC',
}

test.each<[string, Partial<JobTimes>, string, ReturnType<typeof turnOf>]>([
  ['waits before its time', {}, '12:59', { kind: 'wait' }],
  ['is due at its time', {}, '13:00', { kind: 'due', nextRunAt: at('14:00') }],
  ['is due after its time', {}, '13:20', { kind: 'due', nextRunAt: at('14:00') }],
  ['is due once for all missed times', {}, '19:20', { kind: 'due', nextRunAt: at('20:00') }],
  ['is due before its first run', { runs: [] }, '13:00', { kind: 'due', nextRunAt: at('14:00') }],
  [
    'is due while its last run goes on, which is for others to skip',
    { runs: [run(noon, 'running')] },
    '13:00',
    { kind: 'due', nextRunAt: at('14:00') },
  ],
  ['never without a schedule', { schedule: null, nextRunAt: null }, '19:00', { kind: 'wait' }],
  ['never while it is disabled', { enabled: false, nextRunAt: null }, '19:00', { kind: 'wait' }],
  ['never while it is disabled with a time', { enabled: false }, '19:00', { kind: 'wait' }],
  [
    'is brought forward if a clock that was ahead set its time',
    { nextRunAt: at('13:00') + 365 * 24 * hour },
    '12:30',
    { kind: 'postponed', nextRunAt: at('13:00') },
  ],
  [
    'is due if its last run is in the future',
    { nextRunAt: at('13:00') + 365 * 24 * hour, runs: [run(noon + 365 * 24 * hour)] },
    '12:30',
    { kind: 'due', nextRunAt: at('13:00') },
  ],
  [
    'is not brought forward by clocks that differ a little',
    { nextRunAt: at('14:00') },
    '12:58',
    { kind: 'wait' },
  ],
])('a job %s', (_, change, time, turn) => {
  expect(turnOf({ ...hourly, ...change }, at(time))).toEqual(turn)
})

test.each([
  ['30 3 * * *', 'Europe/Berlin', '2026-06-01T12:00:00Z', '2026-06-02T01:30:00Z'],
  ['30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-29T01:00:00Z'],
  ['30 2 * * *', 'Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-26T01:30:00Z'],
])('%s in %s: after %s comes %s', (schedule, timezone, after, next) => {
  const found = nextRunOf({ enabled: true, schedule, timezone }, Date.parse(after))
  expect(found).toBe(Date.parse(next))
})

const service = { containers: 1, job: false, image: 'busybox' }
const stack: JobFacts['stack'] = { deployed: true, services: { web: service, db: service } }
const facts: JobFacts = { stack, blocked: null, isRunning: false }
const verb = (name: 'pause' | 'stop'): NonNullable<StackRecord['verbs']>[string] => ({
  by: 'mia',
  at: 1,
  verb: name,
})

test.each<[string, Partial<JobFacts>, string | undefined]>([
  ['nothing is in its way', {}, undefined],
  ['the last run goes on', { isRunning: true }, 'the last run has not ended'],
  ['the account is gone', { blocked: 'mia was deleted' }, 'the job is blocked: mia was deleted'],
  [
    'the stack is stopped',
    { stack: { ...stack, deployed: false } },
    'the stack is not deployed, or it is stopped',
  ],
  [
    'the service is stopped',
    { stack: { ...stack, verbs: { web: verb('stop') } } },
    'service web is stopped',
  ],
  [
    'the service is paused',
    { stack: { ...stack, verbs: { web: verb('pause') } } },
    'service web is paused',
  ],
  ['another service is paused', { stack: { ...stack, verbs: { db: verb('pause') } } }, undefined],
  [
    'the stack is paused',
    { stack: { ...stack, verbs: { db: verb('pause'), web: verb('pause') } } },
    'the stack is paused',
  ],
  [
    'the stack is paused, and has a service that is a job',
    {
      stack: {
        ...stack,
        services: { web: service, tool: { ...service, job: true } },
        verbs: { web: verb('pause') },
      },
    },
    'the stack is paused',
  ],
])('%s', (_, change, reason) => {
  expect(whySkipped({ service: 'web' }, { ...facts, ...change })).toBe(reason)
})

test('a service can have the name of a property of every object', () => {
  expect(whySkipped({ service: 'constructor' }, facts)).toBeUndefined()
})
