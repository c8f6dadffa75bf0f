import type { BackupJob, JobBody, TargetBody } from '../../data/backups.ts'
import { type HostId, localHostId } from '../../host-ids.ts'

export type TargetKind = TargetBody['kind']

/** The form of a backup job. Secrets of an existing job are empty: the API never returns them. */
export interface JobDraft {
  name: string
  host: HostId
  /** As `stack shop`, `volume data` or `system`. */
  sources: readonly string[]
  kind: TargetKind
  path: string
  s3: Record<'bucket' | 'prefix' | 'region' | 'endpoint' | 'key' | 'secret', string>
  sftp: Record<'host' | 'port' | 'username' | 'hostKey' | 'password' | 'privateKey', string>
  schedule: string
  timezone: string
  keepLast: string
  keepDays: string
  encrypt: boolean
  /** Undefined for a list of services, which the form leaves alone. */
  stops: boolean | undefined
  before: HookDraft
  after: HookDraft
}

/** A command in a container of a service, with a word on each line. */
export interface HookDraft {
  service: string
  command: string
}

export interface JobDraftProps {
  draft: JobDraft
  set: (change: Partial<JobDraft>) => void
  isKnown: boolean
}

const zone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Returns what a form begins with: a job, or a usual one. */
export function draftOf(job: BackupJob | undefined): JobDraft {
  const target = job?.target
  const s3 = target?.kind === 's3' ? target : undefined
  const sftp = target?.kind === 'sftp' ? target : undefined
  const stops = job?.stop_services ?? false
  return {
    name: job?.name ?? '',
    host: job?.host ?? localHostId,
    sources: (job?.sources ?? []).map(keyOfSource),
    kind: target?.kind ?? 'local',
    path: target && target.kind !== 's3' ? target.path : '',
    s3: {
      bucket: s3?.bucket ?? '',
      prefix: s3?.prefix ?? '',
      endpoint: s3?.endpoint ?? '',
      region: s3?.region ?? 'us-east-1',
      key: s3?.access_key_id ?? '',
      secret: '',
    },
    sftp: {
      host: sftp?.host ?? '',
      port: String(sftp?.port ?? 22),
      username: sftp?.username ?? '',
      hostKey: sftp?.host_key ?? '',
      password: '',
      privateKey: '',
    },
    schedule: job ? (job.schedule ?? '') : '0 3 * * *',
    timezone: job?.timezone ?? zone(),
    keepLast: String(job ? (job.retention.keep_last ?? '') : 7),
    keepDays: String(job?.retention.keep_days ?? ''),
    encrypt: job?.encrypt ?? true,
    stops: typeof stops === 'boolean' ? stops : undefined,
    before: hookDraftOf(job?.hooks.before),
    after: hookDraftOf(job?.hooks.after),
  }
}

type Hook = BackupJob['hooks']['before']

const hookDraftOf = (hook: Hook | undefined): HookDraft => ({
  service: hook?.service ?? '',
  command: hook?.command.join('\n') ?? '',
})

/** Returns the hook that was typed; null without a service. */
const hookOf = ({ service, command }: HookDraft): Hook =>
  service.trim() === ''
    ? null
    : { service: service.trim(), command: command.split('\n').filter((word) => word !== '') }

export const keyOfSource = ({ kind, name }: BackupJob['sources'][number]): string =>
  kind === 'system' ? 'system' : `${kind} ${name}`

function sourceOf(key: string): JobBody['sources'][number] {
  const [kind, name = ''] = key.split(' ')
  if (kind === 'system') return { kind }
  return { kind: kind === 'stack' ? 'stack' : 'volume', name }
}

const numberOrNull = (text: string) => (text === '' ? null : Number(text))

/** Returns the body that saves a job. Lists of services stay unchanged. */
export function bodyOf(draft: JobDraft): JobBody {
  const { name, host, sources, schedule, timezone, encrypt, stops } = draft
  return {
    name: name.trim(),
    host,
    timezone,
    encrypt,
    sources: sources.map(sourceOf),
    target: targetOf(draft),
    schedule: schedule.trim() || null,
    retention: {
      keep_last: numberOrNull(draft.keepLast),
      keep_days: numberOrNull(draft.keepDays),
    },
    hooks: { before: hookOf(draft.before), after: hookOf(draft.after) },
    ...(stops !== undefined && { stop_services: stops }),
  }
}

function targetOf({ kind, path, s3, sftp }: JobDraft): TargetBody {
  if (kind === 'local') return { kind, path: path.trim() }
  if (kind === 'sftp') {
    return {
      kind,
      path: path.trim(),
      host: sftp.host.trim(),
      port: Number(sftp.port),
      username: sftp.username.trim(),
      host_key: sftp.hostKey.trim(),
      ...(sftp.password && { password: sftp.password }),
      ...(sftp.privateKey && { private_key: sftp.privateKey }),
    }
  }
  const endpoint = s3.endpoint.trim()
  return {
    kind,
    bucket: s3.bucket.trim(),
    prefix: s3.prefix.trim(),
    region: s3.region.trim(),
    endpoint: endpoint || null,
    force_path_style: endpoint !== '',
    access_key_id: s3.key.trim(),
    ...(s3.secret && { secret_access_key: s3.secret }),
  }
}
