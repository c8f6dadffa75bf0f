import { expect, test } from 'vitest'
import type { components } from '../../data/api.types.ts'
import { en } from '../../text/en.ts'
import { setTexts } from '../../text/text.ts'
import { actorOf, listedRows, outcomeOf, whatOf } from './row-texts.ts'
import { namesOf } from './subject-names.ts'

setTexts(en)

type AuditRow = components['schemas']['AuditRow']

const row = (more: Partial<AuditRow>) =>
  ({
    id: 'a',
    action: 'stacks.deploy',
    outcome: 'succeeded',
    status: 200,
    actor: 'user',
    username: 'mia',
    subject: { kind: 'stacks', id: 'uptime', name: null },
    continues: null,
    ...more,
  }) as AuditRow
const host = { kind: 'hosts', id: '01977d3c-7a00-7000-8000-9a8b7c6d5e4f', name: 'nas' }
const names = namesOf([host])

test.each([
  [row({}), 'Deploy uptime'],
  [row({ action: 'auth.browser.login', subject: null }), 'Sign in'],
  [row({ action: 'agents.enroll', subject: { ...host, name: null } }), 'Enrol the agent of nas'],
  [row({ action: 'hosts.create', subject: null }), 'Add host'],
  [row({ action: 'new-things.create' }), 'new-things.create'],
  [row({ action: 'constructor' }), 'constructor'],
])('an action is said in words: %#', (one, words) => {
  expect(whatOf(one, names)).toBe(words)
})

test('an agent is named by its host, and another caller without an account is unknown', () => {
  const unknown = { actor: 'nobody', username: null } as const
  expect(actorOf(row({}), names)).toBe('mia')
  expect(actorOf(row({ ...unknown, action: 'agents.enroll', subject: host }), names)).toBe(
    'agent of nas',
  )
  expect(actorOf(row({ ...unknown, action: 'auth.login' }), names)).toBe('unknown caller')
  expect(actorOf(row({ actor: 'service', username: null }), names)).toBe('the service')
})

test('a deploy that was accepted and failed later has failed', () => {
  const begun = row({ status: 202 })
  const end = row({ id: 'b', continues: 'a', outcome: 'failed', status: null, actor: 'service' })
  expect(outcomeOf(begun, [begun])).toBe('accepted')
  expect(outcomeOf(begun, [end, begun])).toBe('failed')
  expect(listedRows([end, begun])).toEqual([begun])
  // The page of the log ends between the two.
  expect(listedRows([end])).toEqual([end])
})

test('an action that ended with its response has the outcome of its row', () => {
  expect(outcomeOf(row({ outcome: 'refused', status: 409 }), [])).toBe('refused')
  expect(outcomeOf(row({}), [])).toBe('succeeded')
})
