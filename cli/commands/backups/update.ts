import type { BackupJobChange } from '../../api/types.ts'
import { type Call, command } from '../../command.ts'
import { wrongUsage } from '../../failure.ts'
import { jobFields, jobFlags, readJobFlags } from '../../flags/backup-job-flags.ts'
import { clean } from '../../output/text.ts'
import { moment } from '../../output/units.ts'
import { findJob } from '../../resolve/find.ts'
import { hostFor } from '../../resolve/host.ts'

const ownFlags = {
  ...jobFlags,
  '--name <name>': 'Rename the job',
  '--disable': 'Disable its schedule',
  '--enable': 'Enable its schedule',
} as const

export default command({
  args: '<job>',
  flags: ownFlags,
  details: '\nUpdates a job, given by name or id. Settings without a flag are kept.',
  examples: ['cli backups update nightly --disable', 'cli backups update nightly --keep-days 30'],
  explicitHost: true,
  fields: { ...jobFields, name: '--name' },
  run: update,
})

async function update({ args, flags, client, print, io }: Call<'<job>', typeof ownFlags>) {
  const { hooks, ...given } = await readJobFlags(flags, io)
  const body: BackupJobChange = given
  if (flags.name !== undefined) body.name = flags.name
  if (flags.enable && flags.disable) throw wrongUsage('--enable and --disable: use only one')
  if (flags.enable || flags.disable) body.enabled = flags.enable
  if (Object.keys(body).length === 0 && !hooks)
    throw wrongUsage('nothing to change: give at least one flag')
  const service = await client()
  const { id, hooks: known } = await findJob(service, args.job)
  body.host = await hostFor(service, body.host)
  if (hooks) body.hooks = { ...known, ...hooks }
  print.reply(await service.put('/backup-jobs/{id}', { path: { id }, body }), (job) => {
    print.line(`${clean(job.name)} is updated`)
    print.note(`  next run: ${moment(job.next_run_at) ?? 'not scheduled'}`)
  })
}
