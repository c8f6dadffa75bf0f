import type { NewBackupJob } from '../api/types.ts'
import { wrongUsage } from '../failure.ts'
import type { Io } from '../io.ts'
import { openSecrets } from '../prompt.ts'
import { oneHost } from '../resolve/host.ts'
import { readNamed } from './named-file.ts'

/** Flags that configure a job, whether it is new or changed. */
export const jobFlags = {
  '--stack <...name>': 'Back up a stack with its files and named volumes; repeatable',
  '--volume <...name>': 'Back up a volume; repeatable',
  '--system': 'Back up the service itself: its records and keys',
  '--to <place>': 'A directory, s3://bucket/prefix or sftp://user@host:port/path',
  '--endpoint <url>': 'The URL of an S3 server other than Amazon S3',
  '--region <name>': 'The region of the bucket; defaults to us-east-1',
  '--access-key-id <id>': 'The access key id for S3; you are asked for the secret key',
  '--host-key <fingerprint>': 'The fingerprint of the SFTP server’s key, SHA256:…',
  '--private-key <file>': 'A private key for SFTP instead of a password',
  '--schedule <cron>': 'A cron expression such as "30 3 * * *"; `none` removes the schedule',
  '--timezone <name>': 'The time zone of the schedule, such as Europe/Berlin; defaults to UTC',
  '--keep-last <number>': 'Keep this number of newest backups',
  '--keep-days <number>': 'Keep the backups younger than this number of days',
  '--encrypt': 'Encrypt the backups',
  '--stop-services': 'Stop the services that use the volumes while they are read',
  '--before <words>':
    'Run a command in a service before it: "db pg_dump …", or a JSON list; `none` removes it',
  '--after <words>': 'Run a command in a service after it, even if it failed',
} as const

/** The flags of fields that have another name in the API. */
export const jobFields = {
  sources: '--stack, --volume or --system',
  target: '--to',
  'target.endpoint': '--endpoint',
  'target.region': '--region',
  'target.access_key_id': '--access-key-id',
  'target.host_key': '--host-key',
  'target.private_key': '--private-key',
} as const

interface Values {
  stack: string[]
  volume: string[]
  system: boolean
  to: string | undefined
  endpoint: string | undefined
  region: string | undefined
  accessKeyId: string | undefined
  hostKey: string | undefined
  privateKey: string | undefined
  schedule: string | undefined
  timezone: string | undefined
  keepLast: string | undefined
  keepDays: string | undefined
  encrypt: boolean
  stopServices: boolean
  before: string | undefined
  after: string | undefined
  host: string | undefined
}

type Hooks = NonNullable<NewBackupJob['hooks']>

/** A change of a job with only the given hooks. The API always replaces both hooks. */
type Change = Omit<Partial<NewBackupJob>, 'hooks'> & { hooks?: Partial<Hooks> }

/**
 * Returns the fields of a job that the flags set. Secrets are prompted for, or read from standard
 * input.
 */
export async function readJobFlags(flags: Values, io: Io): Promise<Change> {
  const sources = [
    ...flags.stack.map((name) => ({ kind: 'stack' as const, name })),
    ...flags.volume.map((name) => ({ kind: 'volume' as const, name })),
    ...(flags.system ? [{ kind: 'system' as const }] : []),
  ]
  const kept = flags.keepLast !== undefined || flags.keepDays !== undefined
  return {
    ...(flags.host !== undefined && { host: oneHost(flags.host) }),
    ...(sources.length > 0 && { sources }),
    ...(flags.to !== undefined && { target: await targetOf(flags.to, flags, io) }),
    ...(flags.schedule !== undefined && {
      schedule: flags.schedule === 'none' ? null : flags.schedule,
    }),
    ...(flags.timezone !== undefined && { timezone: flags.timezone }),
    ...(kept && {
      retention: {
        keep_last: numberOf('--keep-last', flags.keepLast),
        keep_days: numberOf('--keep-days', flags.keepDays),
      },
    }),
    ...(flags.encrypt && { encrypt: true }),
    ...(flags.stopServices && { stop_services: true }),
    ...hooksOf(flags),
  }
}

function hooksOf({ before, after }: Values): { hooks?: Partial<Hooks> } {
  const hooks = {
    ...(before !== undefined && { before: hookOf('--before', before) }),
    ...(after !== undefined && { after: hookOf('--after', after) }),
  }
  return Object.keys(hooks).length > 0 ? { hooks } : {}
}

/**
 * Parses a service, a program and its arguments, separated by spaces, or a JSON list if an argument
 * contains spaces. Returns null for `none`.
 */
function hookOf(flag: string, text: string): Hooks['before'] {
  if (text === 'none') return null
  const [service, ...command] = text.trimStart().startsWith('[')
    ? listOf(flag, text)
    : text.split(/\s+/).filter((word) => word !== '')
  if (service === undefined || command.length === 0) {
    throw wrongUsage(`${flag} ${JSON.stringify(text)}: must be a service and its command`)
  }
  return { service, command }
}

function listOf(flag: string, text: string): string[] {
  const wrong = wrongUsage(`${flag} ${JSON.stringify(text)}: must be a JSON list of strings`)
  let list: unknown
  try {
    list = JSON.parse(text)
  } catch {
    throw wrong
  }
  if (Array.isArray(list) && list.every((word) => typeof word === 'string')) return list
  throw wrong
}

function numberOf(flag: string, text: string | undefined): number | null {
  if (text === undefined) return null
  if (!/^[1-9]\d{0,5}$/.test(text) || Number(text) > 100_000) {
    throw wrongUsage(`${flag} ${JSON.stringify(text)}: must be a number from 1 to 100000`)
  }
  return Number(text)
}

async function targetOf(place: string, flags: Values, io: Io): Promise<NewBackupJob['target']> {
  if (!/^(s3|sftp):\/\//.test(place)) return { kind: 'local', path: place }
  let url: URL
  try {
    url = new URL(place)
  } catch {
    throw wrongUsage(`--to ${JSON.stringify(place)}: is not a URL`)
  }
  if (url.password !== '')
    throw wrongUsage('--to: must not contain the password: the client asks for it')
  const path = decodeURIComponent(url.pathname)
  if (url.protocol === 's3:') {
    if (flags.accessKeyId === undefined) throw wrongUsage('--access-key-id <id> is required')
    return {
      kind: 's3',
      bucket: url.host,
      prefix: path.replace(/^\//, ''),
      endpoint: flags.endpoint,
      region: flags.region,
      access_key_id: flags.accessKeyId,
      force_path_style: flags.endpoint !== undefined,
      secret_access_key: await openSecrets(io).next('Secret access key'),
    }
  }
  if (flags.hostKey === undefined) {
    throw wrongUsage(
      '--host-key <fingerprint> is required',
      `ssh-keyscan ${url.hostname} | ssh-keygen -lf -`,
    )
  }
  const secret =
    flags.privateKey === undefined
      ? { password: await openSecrets(io).next('Password') }
      : { private_key: await readNamed(io, flags.privateKey, 'key file') }
  return {
    kind: 'sftp',
    host: url.hostname,
    port: url.port === '' ? 22 : Number(url.port),
    username: decodeURIComponent(url.username),
    path,
    host_key: flags.hostKey,
    ...secret,
  }
}
