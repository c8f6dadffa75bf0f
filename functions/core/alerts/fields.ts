import { z } from 'zod'
import type { AlertSubject } from '../records/alert-event.ts'
import { alertMetrics, operators, severities } from '../records/alert-rule.ts'

/** Fields that rules, alerts and events share, in their API form. */
export const Metric = z.enum(alertMetrics).meta({
  id: 'AlertMetric',
  description:
    'What is measured. `cpu_percent` and `memory_percent` are those of a container in `docker stats`; `disk_percent` is the usage of the file system with the Docker data of a host; `service_disk_percent` that of the file system with the data directory of the service, on the host it runs on; `restarts` counts restarts; `updates_available` counts the services of a stack for which the registry has a newer image, `update_checks_failed` those whose last look for one failed; `update_failed` is 1 while newer images that an update took were bad or could not be taken, or updates are blocked; `source_failed` is 1 while a stack cannot follow its source; `job_failed` is 1 while the last run of a job of a stack failed, or a job is blocked; the others are 1 while the condition holds',
})

export const Severity = z
  .enum(severities)
  .meta({ id: 'AlertSeverity', description: 'How serious an alert is' })

export const Operator = z
  .enum(operators)
  .meta({ id: 'AlertOperator', description: 'How a value is compared with a threshold' })

export const AlertState = z
  .enum(['firing', 'resolved'])
  .meta({ id: 'AlertState', description: 'Whether an alert began or ended' })

export const Subject = z
  .object({
    kind: z.enum(['container', 'host', 'stack', 'backup_job']).describe('Kind of the subject'),
    id: z.string().describe('Id of the container, host or backup job, or the name of the stack'),
    name: z.string().describe('Name of the subject'),
    host_id: z.string().describe('Id of its host'),
    host_name: z.string().describe('Name of its host'),
  })
  .meta({ id: 'AlertSubject', description: 'What an alert is about' })

/** Returns the subject of an alert in its API form. */
export const showSubject = ({ kind, id, name, hostId, hostName }: AlertSubject) => ({
  kind,
  id,
  name,
  host_id: hostId,
  host_name: hostName,
})

export const subjectExample = {
  kind: 'container',
  id: '4f6d1b0c9a2e4f6d1b0c9a2e4f6d1b0c9a2e4f6d1b0c9a2e4f6d1b0c9a2e4f6d',
  name: 'shop-web-1',
  host_id: 'local',
  host_name: 'local',
} as const
