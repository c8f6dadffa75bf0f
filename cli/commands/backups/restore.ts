import type { Client } from '../../api/client.ts'
import type { BackupRun, RestoreBody } from '../../api/types.ts'
import { type Call, command } from '../../command.ts'
import { failed, wrongUsage } from '../../failure.ts'
import { isDetached, noWaitFlag } from '../../flags/detach-flag.ts'
import { followRun, sayRunStarted } from '../../follow/backup-run.ts'
import { verifyBackup } from '../../follow/verify-backup.ts'
import type { Io } from '../../io.ts'
import type { Printer } from '../../output/print.ts'
import { clean } from '../../output/text.ts'
import { bytes, duration } from '../../output/units.ts'
import { findRun } from '../../resolve/find.ts'
import { hostFor, oneHost } from '../../resolve/host.ts'

const args = '<run>'
const ownFlags = {
  '--stack <...name>': 'Only this stack of the backup; repeatable',
  '--volume <...name>': 'Only this volume; repeatable',
  '--service <...name>': 'Only the volumes of this service; needs a single --stack',
  '--stack-name <name>': 'Restore the stack under another name',
  '--overwrite': 'Replace existing data, which is kept until the restore is complete',
  '--verify': 'Verify the whole backup first',
  ...noWaitFlag,
} as const

/** No timeout: reading a large backup takes long. */
const timeout = 0

type Flags = Call<typeof args, typeof ownFlags>['flags']

export default command({
  args,
  flags: ownFlags,
  progress: true,
  details: `
Restores all stacks and volumes of the backup to the host that they were on, unless flags select others, and deploys the
stacks. Progress is shown on standard error. Exits with 1 if the restore failed; existing data is then unchanged.
To restore the state of the service itself, use npm run restore.`,
  examples: [
    'cli backups restore 01978f00-0000-7000-8000-000000000002',
    'cli backups restore 01978f00-0000-7000-8000-000000000002 --stack shop --stack-name copy --host far',
  ],
  explicitHost: true,
  fields: { id: '<run>', sources: '--stack, --volume or --service' },
  run: restore,
})

async function restore({
  args: { run },
  flags,
  client,
  print,
  io,
}: Call<typeof args, typeof ownFlags>) {
  const given = bodyOf(flags)
  const service = await client()
  const path = { id: await findRun(service, run) }
  if (flags.verify) await requireWhole(path.id, { client: service, print, io })
  const body = { ...given, host: await hostFor(service, given.host) }
  const started = await service.post('/backup-runs/{id}/restore', { path, body, timeout })
  if (isDetached(flags)) return sayRunStarted(started, print)
  await followRun(started, { client: service, print, io }, summaryOf)
}

function bodyOf(flags: Flags): RestoreBody {
  const { stack: stacks, volume: volumes, service: services, stackName, overwrite } = flags
  if (services.length > 0 && stacks.length !== 1) {
    throw wrongUsage('--service: needs exactly one --stack')
  }
  const sources: RestoreBody['sources'] = [
    ...stacks.map((name) => ({
      kind: 'stack' as const,
      name,
      ...(services.length > 0 && { services }),
    })),
    ...volumes.map((name) => ({ kind: 'volume' as const, name })),
  ]
  return {
    ...(sources.length > 0 && { sources }),
    ...(flags.host !== undefined && { host: oneHost(flags.host) }),
    ...(stackName !== undefined && { stack_name: stackName }),
    ...(overwrite && { overwrite }),
  }
}

async function requireWhole(
  run: string,
  following: { client: Client; print: Printer; io: Io },
): Promise<void> {
  const { value } = await verifyBackup(run, following)
  if (value.ok) return
  throw failed(
    `nothing was restored: the backup is damaged: ${value.problems.map(clean).join('; ')}`,
  )
}

function summaryOf({ contents, progress, started_at, finished_at }: BackupRun): string {
  const took = duration(Date.parse(finished_at ?? started_at) - Date.parse(started_at))
  const parts = contents.map(({ kind, source }) => `${kind} ${clean(source)}`).join(', ')
  return `${parts}: restored in ${took}, ${bytes(progress.bytes)}`
}
