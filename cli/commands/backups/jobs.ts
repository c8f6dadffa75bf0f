import type { Client } from '../../api/client.ts'
import type { BackupJob } from '../../api/types.ts'
import { type Call, command } from '../../command.ts'
import type { Printer } from '../../output/print.ts'
import { statusStyle } from '../../output/status-style.ts'
import { moment } from '../../output/units.ts'
import { findJob } from '../../resolve/find.ts'
import { hostOf } from '../../resolve/host.ts'

const args = '[job]'

export default command({
  args,
  list: true,
  details: '\nGiven the name or id of a job, shows all its settings.',
  examples: ['cli backups jobs', 'cli backups jobs nightly'],
  run: jobs,
})

async function jobs({ args: { job }, client, print }: Call<typeof args>) {
  const service = await client()
  if (job !== undefined) return printJob(service, job, print)
  print.reply(await service.get('/backup-jobs'), (found) =>
    print.table(found, [
      { head: 'NAME', text: (one) => one.name },
      { head: 'HOST', text: (one) => hostOf(one) },
      { head: 'SOURCES', text: sourcesOf },
      { head: 'TARGET', text: ({ target }) => target.kind },
      { head: 'SCHEDULE', text: (one) => (one.enabled ? one.schedule : 'disabled') },
      { head: 'NEXT RUN', text: (one) => moment(one.next_run_at) },
      { head: 'ACTS AS', text: accountOf, style: statusStyle },
      { head: 'LAST', text: (one) => one.last_run?.status, style: statusStyle },
      { head: 'LAST RUN', text: (one) => moment(one.last_run?.started_at) },
    ]),
  )
}

const sourcesOf = ({ sources }: BackupJob) =>
  sources.map(({ kind, name }) => (kind === 'system' ? 'system' : `${kind} ${name}`)).join(', ')

/** A job of an earlier version acts as the service. */
const accountOf = ({ acts_as: { username, blocked } }: BackupJob) =>
  blocked === null ? (username ?? 'the service') : 'blocked'

/** Prints the job that a text names. */
export async function printJob(service: Client, text: string, print: Printer): Promise<void> {
  const { id } = await findJob(service, text)
  const reply = await service.get('/backup-jobs/{id}', { path: { id } })
  print.reply(reply, (one) => showOne(one, print))
}

function showOne(one: BackupJob, print: Printer): void {
  const { retention, last_run } = one
  const kept = [
    retention.keep_last === null ? [] : [`the newest ${retention.keep_last}`],
    retention.keep_days === null ? [] : [`${retention.keep_days} days`],
  ].flat()
  print.facts({
    id: one.id,
    name: one.name,
    host: hostOf(one),
    sources: sourcesOf(one),
    target: placeOf(one.target),
    schedule: one.schedule,
    timezone: one.timezone,
    enabled: one.enabled ? 'yes' : 'no',
    'next run': moment(one.next_run_at),
    kept: kept.join(', and ') || 'all',
    encrypted: one.encrypt ? 'yes' : 'no',
    stops: Array.isArray(one.stop_services)
      ? one.stop_services.join(', ')
      : one.stop_services
        ? 'the services that use the data'
        : 'nothing',
    before: hookOf(one.hooks.before),
    after: hookOf(one.hooks.after),
    'acts as': one.acts_as.username ?? 'the service, until someone saves it',
    blocked: one.acts_as.blocked ?? undefined,
    'last run': last_run ? `${last_run.status}, ${moment(last_run.started_at)}` : null,
    error: last_run?.error ?? undefined,
  })
}

const hookOf = (hook: BackupJob['hooks']['before']) =>
  hook ? `${hook.service}: ${hook.command.join(' ')}` : undefined

function placeOf(target: BackupJob['target']): string {
  if (target.kind === 'local') return target.path || 'the service’s own directory'
  if (target.kind === 's3')
    return `s3://${[target.bucket, target.prefix].filter(Boolean).join('/')}`
  return `sftp://${target.username}@${target.host}:${target.port}/${target.path}`
}
