import { type Call, command } from '../../command.ts'
import { wrongUsage } from '../../failure.ts'
import { jobFields, jobFlags, readJobFlags } from '../../flags/backup-job-flags.ts'
import { clean } from '../../output/text.ts'
import { moment } from '../../output/units.ts'
import { hostFor } from '../../resolve/host.ts'

export default command({
  args: '<name>',
  flags: jobFlags,
  details: `
A relative directory is below the backup directory of the service. The client asks for secrets; if standard input is
not a terminal, its first line is used. The commands before and after run without a shell; to use one, pass a list such
as ["db","sh","-c","dump > /backup/shop.sql"].`,
  examples: [
    'cli backups create nightly --stack shop --to shop --schedule "30 3 * * *" --keep-last 7',
    'cli backups create off-site --system --to s3://backups/stacks --access-key-id AKIA…',
  ],
  fields: jobFields,
  run: create,
})

async function create({ args, flags, client, print, io }: Call<'<name>', typeof jobFlags>) {
  const given = await readJobFlags(flags, io)
  if (!given.sources) throw wrongUsage('nothing to back up: use --stack, --volume or --system')
  if (!given.target) throw wrongUsage('--to <place> is required')
  const service = await client()
  const host = await hostFor(service, given.host)
  const body = { ...given, host, name: args.name, sources: given.sources, target: given.target }
  print.reply(await service.post('/backup-jobs', { body }), (job) => {
    print.line(`${clean(job.name)} is created`)
    const next = moment(job.next_run_at)
    print.note(next ? `  it runs ${next}` : `  next: cli backups run ${clean(job.name)}`)
  })
}
