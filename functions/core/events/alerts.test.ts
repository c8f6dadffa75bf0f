import { expect, test } from 'vitest'
import { alertEvent, backupRun } from '../../../adapters/testing/contract/samples.ts'
import { memoryPorts } from '../../../adapters/testing/memory/stores.ts'
import { alertsSince } from './alerts.ts'
import { backupsSince } from './backups.ts'

test('a backup job is the same subject in events of backups and of alerts', async () => {
  const { alertEvents, backupRuns, clock, random } = memoryPorts()
  const at = clock.now()
  const run = { ...backupRun('1', 'j1'), startedAt: at }
  await backupRuns.create(run)
  const id = { id: 'j1', name: run.jobName }
  const subject = { kind: 'backup_job' as const, ...id, hostId: 'local', hostName: 'local' }
  await alertEvents.add({ ...alertEvent(random.id()), subject, at })
  const [begun] = (await backupsSince(at, { backupRuns })).events
  const [fired] = (await alertsSince(at, { alertEvents })).events
  expect(fired?.subject).toEqual({ kind: 'backup-job', ...id })
  expect(fired?.subject).toEqual(begun?.subject)
  expect(fired?.details.subject_kind).toBe('backup_job')
})
