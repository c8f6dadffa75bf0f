import type { AlertSubject } from '../records/alert-event.ts'
import type { AlertRule } from '../records/alert-rule.ts'

/** Returns a rule for the CPU usage of a container, for tests and benchmarks. */
export const alertRule = (more: Partial<AlertRule> = {}): AlertRule => ({
  id: 'r1',
  name: 'busy',
  metric: 'cpu_percent',
  operator: 'gt',
  threshold: 80,
  forSeconds: 0,
  cooldownSeconds: 0,
  match: {},
  severity: 'warning',
  channels: ['c1'],
  mutedUntil: null,
  enabled: true,
  createdAt: 0,
  updatedAt: 0,
  ...more,
})

/** Returns a container subject with this name. */
export const containerSubject = (name: string): AlertSubject => ({
  kind: 'container',
  id: `id-of-${name}`,
  name,
  hostId: 'local',
  hostName: 'Cellar',
})
