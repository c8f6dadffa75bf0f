import type { z } from 'zod'
import { isSamePlace } from '../core/backups/contents/run-target.ts'
import { invalid } from '../core/errors.ts'
import type { BackupTarget } from '../core/records/backup-target.ts'
import type { Target, TargetBody } from './target-schema.ts'

/**
 * Returns the target of a request. A secret that the request omits is taken from `before`, but only
 * if both are the same place: a secret is never sent to another one.
 *
 * @throws 400 if a required secret is missing
 */
export function targetFrom(
  body: z.output<typeof TargetBody>,
  before: BackupTarget | undefined,
): BackupTarget {
  if (body.kind === 'local') return { kind: 'local', path: body.path }
  const sent = body.kind === 's3' ? s3From(body) : sftpFrom(body)
  const known = before && isSamePlace(sent, before) ? before : undefined
  if (sent.kind === 's3') {
    const kept = known?.kind === 's3' && known.accessKeyId === sent.accessKeyId ? known : undefined
    const secretAccessKey = sent.secretAccessKey || kept?.secretAccessKey
    if (!secretAccessKey) throw missing('secret_access_key')
    return { ...sent, secretAccessKey }
  }
  if (sent.password !== null && sent.privateKey !== null) {
    throw invalid('body.target: give a password or a private_key, not both')
  }
  if (sent.password !== null || sent.privateKey !== null) return sent
  const kept = known?.kind === 'sftp' && known.hostKey === sent.hostKey ? known : undefined
  if (!kept) throw missing('password or private_key')
  return {
    ...kept,
    ...sent,
    password: kept.password,
    privateKey: kept.privateKey,
    passphrase: kept.passphrase,
  }
}

const missing = (what: string) =>
  invalid(`body.target.${what}: is required: the stored value belongs to a different target`)

type Sent<Kind> = Extract<z.output<typeof TargetBody>, { kind: Kind }>

const s3From = (body: Sent<'s3'>) => ({
  kind: 's3' as const,
  bucket: body.bucket,
  prefix: body.prefix,
  region: body.region,
  endpoint: body.endpoint,
  forcePathStyle: body.force_path_style,
  accessKeyId: body.access_key_id,
  secretAccessKey: body.secret_access_key ?? '',
})

const sftpFrom = (body: Sent<'sftp'>) => ({
  kind: 'sftp' as const,
  host: body.host,
  port: body.port,
  username: body.username,
  path: body.path,
  hostKey: body.host_key,
  password: body.password ?? null,
  privateKey: body.private_key ?? null,
  passphrase: body.passphrase ?? null,
})

/** Returns a target in the API's form, without its secrets. */
export function showTarget(target: BackupTarget): z.input<typeof Target> {
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
    }
  }
  return {
    kind: 'sftp',
    host: target.host,
    port: target.port,
    username: target.username,
    path: target.path,
    host_key: target.hostKey,
  }
}
