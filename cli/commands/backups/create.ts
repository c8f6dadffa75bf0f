import { jobFlags, readJobFlags } from '../../backup-flags.ts'
import { type Call, command } from '../../command.ts'
import { wrongUsage } from '../../failure.ts'
import type { BackupJob, NewBackupJob } from '../../records.ts'
import { clean } from '../../text.ts'
import { moment } from '../../units.ts'

export default command({
  args: '<name>',
  flags: jobFlags,
  details: `
A directory that is not absolute is below the one that the service keeps backups in. Secrets are asked for; where
standard input is no terminal they are its first line. No shell sees the commands before and after: a list as
["db","sh","-c","dump > /backup/shop.sql"] names one where it is wanted.`,
  examples: [
    'cli backups create nightly --stack shop --to shop --schedule "30 3 * * *" --keep-last 7',
    'cli backups create off-site --system --to s3://backups/stacks --access-key-id AKIA…',
  ],
  run: create,
})

async function create({ args, flags, client, print, io }: Call<'<name>', typeof jobFlags>) {
  const given = await readJobFlags(flags, io)
  if (!given.sources) throw wrongUsage('say what to back up: --stack, --volume or --system')
  if (!given.target) throw wrongUsage('--to <place> is missing')
  const service = await client()
  const body = { ...given, name: args.name } as NewBackupJob
  print.reply(await service.post<BackupJob>('/backup-jobs', { body }), (job) => {
    print.line(`${clean(job.name)} is made`)
    const next = moment(job.next_run_at)
    print.note(next ? `  it runs ${next}` : `  next: cli backups run ${clean(job.name)}`)
  })
}
