import { expect, test } from 'vitest'
import type { UpdatePolicy } from '../records/update-policy.ts'
import { decideUpdate, type StackEvidence, type UpdateEvidence } from './decide-update.ts'

const hour = 3_600_000
/** A Monday at noon, UTC. */
const now = Date.UTC(2026, 5, 1, 12)
const digest = `sha256:${'1'.repeat(64)}`
const seen = (hoursAgo: number): UpdateEvidence['status'] => ({
  state: 'newer',
  reason: null,
  hasFailed: false,
  newer: { digest, seenAt: now - hoursAgo * hour, source: null },
})
const current: UpdateEvidence['status'] = {
  state: 'current',
  reason: null,
  hasFailed: false,
  newer: null,
}
const policy: UpdatePolicy = { mode: 'apply', window: null, minimumAgeHours: 72, except: [] }
const settled: StackEvidence = {
  isUp: true,
  hasFailed: false,
  isRolledBack: false,
  isDeployed: true,
  notBefore: 0,
}
const nightly = { schedule: '0 3 * * *', timezone: 'UTC', durationMinutes: 120 }

interface Case {
  title: string
  policy?: Partial<UpdatePolicy>
  evidence?: Partial<UpdateEvidence>
  expected: ReturnType<typeof decideUpdate> | { kind: 'by_hand' }
}

const cases: Case[] = [
  { title: 'nothing newer', evidence: { status: current }, expected: { kind: 'none' } },
  { title: 'old enough', evidence: { status: seen(72) }, expected: { kind: 'due', reason: null } },
  {
    title: 'too new',
    evidence: { status: seen(31) },
    expected: { kind: 'planned', at: now + 41 * hour },
  },
  {
    title: 'old enough, outside the window',
    policy: { window: nightly },
    evidence: { status: seen(80) },
    expected: { kind: 'planned', at: Date.UTC(2026, 5, 2, 3) },
  },
  {
    title: 'old enough only after the next window',
    policy: { window: nightly },
    evidence: { status: seen(53) },
    expected: { kind: 'planned', at: Date.UTC(2026, 5, 3, 3) },
  },
  {
    title: 'within the window',
    policy: { window: nightly },
    evidence: { status: seen(80), now: Date.UTC(2026, 5, 2, 4, 59) },
    expected: { kind: 'due', reason: null },
  },
  {
    title: 'at the beginning of the window',
    policy: { window: nightly },
    evidence: { status: seen(80), now: Date.UTC(2026, 5, 2, 3) },
    expected: { kind: 'due', reason: null },
  },
  {
    title: 'at the end of the window',
    policy: { window: nightly },
    evidence: { status: seen(80), now: Date.UTC(2026, 5, 2, 5) },
    expected: { kind: 'planned', at: Date.UTC(2026, 5, 3, 3) },
  },
  {
    title: 'a window in another time zone',
    policy: { window: { ...nightly, timezone: 'America/New_York' } },
    evidence: { status: seen(80) },
    expected: { kind: 'planned', at: Date.UTC(2026, 5, 2, 7) },
  },
  { title: 'only told', policy: { mode: 'notify' }, expected: { kind: 'by_hand' } },
  { title: 'left out', policy: { except: ['web'] }, expected: { kind: 'by_hand' } },
  {
    title: 'held back',
    evidence: { heldBack: new Set([digest]) },
    expected: { kind: 'by_hand' },
  },
  {
    title: 'blocked',
    evidence: { blocked: 'account ada: disabled' },
    expected: { kind: 'by_hand', reason: 'account ada: disabled' },
  },
  {
    title: 'a stack that is down',
    evidence: { stack: { ...settled, isUp: false } },
    expected: { kind: 'by_hand', reason: 'the stack is stopped or down: deploy it' },
  },
  {
    title: 'a deployment that failed',
    evidence: { stack: { ...settled, hasFailed: true } },
    expected: {
      kind: 'by_hand',
      reason: 'the last deployment of the stack failed: deploy it again',
    },
  },
  {
    title: 'a rollback, which it would undo',
    evidence: { stack: { ...settled, isRolledBack: true } },
    expected: {
      kind: 'by_hand',
      reason: 'the stack was rolled back: deploy it to resume updates',
    },
  },
  {
    title: 'files that are not deployed',
    evidence: { stack: { ...settled, isDeployed: false } },
    expected: {
      kind: 'by_hand',
      reason: 'the newest files of the stack are not deployed: deploy them',
    },
  },
  {
    title: 'a service that a user stopped',
    evidence: { verb: 'stop', isUp: false },
    expected: { kind: 'by_hand', reason: 'the service was stopped: start it' },
  },
  {
    title: 'a service that a user paused',
    evidence: { verb: 'pause', isUp: false },
    expected: { kind: 'by_hand', reason: 'the service was paused: unpause it' },
  },
  {
    title: 'a service that a user scaled',
    evidence: { verb: 'scale' },
    expected: { kind: 'due', reason: null },
  },
  {
    title: 'a service that does not run',
    evidence: { isUp: false },
    expected: { kind: 'by_hand', reason: 'the service does not run: start it' },
  },
  {
    title: 'nothing newer in a stack that is down',
    evidence: { status: current, blocked: 'blocked', stack: { ...settled, isUp: false } },
    expected: { kind: 'none' },
  },
  {
    title: 'after one that failed',
    evidence: { stack: { ...settled, notBefore: now + hour } },
    expected: { kind: 'planned', at: now + hour },
  },
  {
    title: 'a registry that fails since, or no longer has the tag',
    evidence: { isConfirmed: false },
    expected: { kind: 'by_hand', reason: 'the registry did not confirm the image: look again' },
  },
  {
    title: 'taken, and watched',
    evidence: { status: current, isWatched: true },
    expected: { kind: 'watched' },
  },
  {
    title: 'seen by a clock that was ahead',
    evidence: { status: seen(-24) },
    expected: { kind: 'planned', at: now + 96 * hour },
  },
  {
    title: 'a minimum age of ten years',
    policy: { minimumAgeHours: 87_600 },
    evidence: { status: seen(0) },
    expected: { kind: 'planned', at: now + 87_600 * hour },
  },
]

test.each(cases)('decides on a newer image: $title', (one) => {
  const evidence: UpdateEvidence = {
    service: 'web',
    status: seen(100),
    heldBack: new Set(),
    blocked: null,
    stack: settled,
    verb: undefined,
    isUp: true,
    isConfirmed: true,
    isWatched: false,
    now,
    ...one.evidence,
  }
  expect(decideUpdate({ ...policy, ...one.policy }, evidence)).toMatchObject(one.expected)
})
