import type { z } from 'zod'
import { knownPermissions } from '../core/access/role.ts'
import { isEncrypted } from '../core/backups/runs/prepare-backup.ts'
import type { HostNames } from '../core/hosts/host-names.ts'
import type { AlertChannel } from '../core/records/alert-channel.ts'
import type { AlertRule } from '../core/records/alert-rule.ts'
import type { BackupJob } from '../core/records/backup-job.ts'
import type { BackupTarget } from '../core/records/backup-target.ts'
import type { CustomRole } from '../core/records/custom-role.ts'
import type { Registry } from '../core/records/registry.ts'
import type { Source } from '../core/records/source.ts'
import type { InheritedPolicy, UpdatePolicy } from '../core/records/update-policy.ts'
import { policyFieldsView } from '../kit/policy-fields.ts'
import type {
  EstateAlertRule,
  EstateBackupJob,
  EstateBackupTarget,
  EstateChannel,
  EstateRegistry,
  EstateRole,
  EstateSource,
  EstateStackPolicy,
  EstateUpdatePolicy,
} from './schema.ts'
import type { SecretNames } from './secret-names.ts'

/** Returns the name of another record by its ID; null if it is gone or not to be seen. */
export type NameOf = (id: string) => string | null

export const registryForm = (
  { id, username }: Registry,
  secrets: SecretNames,
): z.input<typeof EstateRegistry> => ({
  address: id,
  username,
  password: secrets.referTo('registry', id, 'password'),
})

export const roleForm = ({ id, permissions }: CustomRole): z.input<typeof EstateRole> => ({
  name: id,
  permissions: knownPermissions(permissions),
})

export function channelForm(
  { name, target }: AlertChannel,
  secrets: SecretNames,
): z.input<typeof EstateChannel> {
  const secretOf = (field: string) => secrets.referTo('channel', name, field)
  switch (target.kind) {
    case 'webhook':
      return { name, kind: 'webhook', url: secretOf('url'), secret: secretOf('secret') }
    case 'ntfy': {
      const { kind, server, token } = target
      const topic = secretOf('topic')
      return { name, kind, server, topic, token: token === null ? null : secretOf('token') }
    }
    case 'gotify': {
      const { kind, server } = target
      return { name, kind, server, token: secretOf('token') }
    }
    case 'telegram': {
      const { kind, server, chat, thread } = target
      return { name, kind, server, token: secretOf('token'), chat, thread }
    }
    case 'pushover': {
      const { kind, device } = target
      return { name, kind, token: secretOf('token'), user: secretOf('user'), device }
    }
    case 'matrix': {
      const { kind, server, room } = target
      return { name, kind, server, room, token: secretOf('token') }
    }
    case 'apprise': {
      const { kind, server, tag } = target
      const key = target.key === null ? null : secretOf('key')
      const urls = target.urls === null ? null : secretOf('urls')
      return { name, kind, server, key, urls, tag }
    }
    case 'smtp': {
      const { kind, host, port, security, username, from, to } = target
      const password = target.password === null ? null : secretOf('password')
      return { name, kind, host, port, security, username, password, from, to }
    }
    default:
      return { name, kind: target.kind, url: secretOf('url') }
  }
}

/** It has no private key: the service makes one for each source over ssh that is given none. */
export function sourceForm(source: Source, secrets: SecretNames): z.input<typeof EstateSource> {
  const { id: name, kind, url, ref, lookEvery, account, certificateAuthority, hostKey } = source
  return {
    name,
    kind,
    url,
    ref,
    look_every_seconds: lookEvery,
    ...(account && {
      username: account.username,
      password: secrets.referTo('source', name, 'password'),
    }),
    ...(certificateAuthority && { certificate_authority: certificateAuthority }),
    ...(hostKey && { host_key: hostKey }),
  }
}

/** Returns the form of a host: the local one is `local` on each service, whatever its name is. */
export const hostForm = (hostId: string, nameOf: HostNames): string =>
  hostId === 'local' ? 'local' : (nameOf(hostId) ?? hostId)

export function jobForm(
  job: BackupJob,
  nameOf: HostNames,
  secrets: SecretNames,
): z.input<typeof EstateBackupJob> {
  const { name, hostId, sources, target, schedule, timezone, retention, hooks, enabled } = job
  return {
    name,
    host: hostForm(hostId, nameOf),
    sources: sources.map((source) =>
      source.kind === 'system' ? { kind: 'system' } : { kind: source.kind, name: source.name },
    ),
    target: targetForm(name, target, secrets),
    schedule,
    timezone,
    retention: { keep_last: retention.keepLast, keep_days: retention.keepDays },
    encrypt: isEncrypted(job),
    stop_services: job.stopServices,
    hooks,
    enabled,
  }
}

function targetForm(
  job: string,
  target: BackupTarget,
  secrets: SecretNames,
): z.input<typeof EstateBackupTarget> {
  const secretOf = (field: string) => secrets.referTo('backup', job, field)
  if (target.kind === 'local') return { kind: 'local', path: target.path }
  if (target.kind === 's3') {
    return {
      kind: 's3',
      bucket: target.bucket,
      prefix: target.prefix,
      region: target.region,
      endpoint: target.endpoint,
      force_path_style: target.forcePathStyle,
      access_key_id: target.accessKeyId,
      secret_access_key: secretOf('secret_access_key'),
    }
  }
  return {
    kind: 'sftp',
    host: target.host,
    port: target.port,
    username: target.username,
    path: target.path,
    host_key: target.hostKey,
    ...(target.password !== null && { password: secretOf('password') }),
    ...(target.privateKey !== null && { private_key: secretOf('private_key') }),
    ...(target.passphrase !== null && { passphrase: secretOf('passphrase') }),
  }
}

export function inheritedForm(policy: InheritedPolicy): z.input<typeof EstateUpdatePolicy> {
  const { mode, window, minimum_age_hours, watch_minutes } = policyFieldsView(policy)
  return { of: policy.id, mode, window, minimum_age_hours, watch_minutes }
}

/** @param jobName the name of a backup job */
export function stackPolicyForm(
  policy: UpdatePolicy,
  jobName: NameOf,
): z.input<typeof EstateStackPolicy> {
  const { mode, window, minimum_age_hours, watch_minutes } = policyFieldsView(policy)
  const { except, checkpoint = null, after = [] } = policy
  const job = checkpoint === null ? null : jobName(checkpoint)
  return { mode, window, minimum_age_hours, watch_minutes, except, checkpoint: job, after }
}

/** @param channelName the name of an alert channel; a channel without one is left out */
export const ruleForm = (
  rule: AlertRule,
  channelName: NameOf,
): z.input<typeof EstateAlertRule> => ({
  name: rule.name,
  metric: rule.metric,
  operator: rule.operator,
  threshold: rule.threshold,
  for_seconds: rule.forSeconds,
  cooldown_seconds: rule.cooldownSeconds,
  match: rule.match,
  severity: rule.severity,
  channels: rule.channels.flatMap((id) => channelName(id) ?? []),
  enabled: rule.enabled,
})
