import { expect, test } from 'vitest'
import { serviceRow } from '../audit/row.ts'
import type { AuditAction } from '../records/audit-actions.ts'
import { fromAuditRow } from './from-audit-row.ts'

const kindOf = (action: AuditAction) =>
  fromAuditRow(serviceRow({ id: 'r', at: 0, action, outcome: 'succeeded', subject: null }))?.kind

test('the kind of an event is in the singular', () => {
  expect(kindOf('stacks.deploy')).toBe('stack.deploy')
  expect(kindOf('registries.update')).toBe('registry.update')
  expect(kindOf('api-tokens.create')).toBe('api-token.create')
})

test('words that only end in s keep it', () => {
  expect(kindOf('ws.exec')).toBe('ws.exec')
  expect(kindOf('ws.ticket')).toBe('ws.ticket')
  expect(kindOf('settings.update')).toBe('settings.update')
})

test('a row of another version has an event too', () => {
  const row = serviceRow({ id: 'r', at: 0, action: 'ws.exec', outcome: 'succeeded', subject: null })
  expect(fromAuditRow({ ...row, action: 'policies.explain' })?.kind).toBe('policy.explain')
})
