import { join, resolve, sep } from 'node:path'
import { unusable } from '../../functions/core/errors.ts'
import type { BackupTargets } from '../../functions/core/ports/backup-targets.ts'
import type { BackupTarget, LocalTarget } from '../../functions/core/records/backup-target.ts'
import type { Dialer } from '../net/outbound.ts'
import { openLocal } from './local.ts'
import { idleMilliseconds } from './target-calls.ts'

/** Options for opening targets. */
export interface TargetOptions {
  /** The directory for `local` targets with a relative path. */
  directory: string
  dialer: Dialer
  /** Milliseconds. The idle timeout of a target. */
  idle?: number
}

/**
 * Opens directories, buckets and SSH servers behind one port. The S3 and SSH clients are loaded on
 * first use.
 */
export function backupTargets({
  directory,
  dialer,
  idle = idleMilliseconds,
}: TargetOptions): BackupTargets {
  return {
    async open(target, signal) {
      signal?.throwIfAborted()
      if (target.kind === 'local') {
        return openLocal(pathOf(target, directory), { make: !isAbsolute(target), idle })
      }
      if (target.kind === 's3') {
        return (await import('./s3.ts')).openS3(target, dialer, { idle, signal })
      }
      return (await import('./sftp.ts')).openSftp(target, dialer, { idle, signal })
    },
    location: (target, name) => locationOf(target, directory, name),
  }
}

function locationOf(target: BackupTarget, directory: string, name: string): string {
  if (target.kind === 'local') return join(pathOf(target, directory), name)
  if (target.kind === 's3') {
    return `s3://${[target.bucket, target.prefix, name].filter((part) => part !== '').join('/')}`
  }
  const path = join(target.path, name)
  return `sftp://${target.host}:${target.port}${path.startsWith('/') ? path : `/~/${path}`}`
}

const isAbsolute = ({ path }: LocalTarget) => path.startsWith('/')

/**
 * Returns the directory of a target. An absolute path is used as it is; a relative one is resolved
 * below `directory`.
 *
 * @throws 422 if a relative path leads out of `directory`
 */
function pathOf(target: LocalTarget, directory: string): string {
  const path = resolve(directory, target.path)
  if (isAbsolute(target) || path === resolve(directory)) return path
  if (!path.startsWith(resolve(directory) + sep)) {
    throw unusable('The target path is outside the backup directory')
  }
  return path
}
