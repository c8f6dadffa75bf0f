import { jobFlags, readJobFlags } from '../../backup-flags.ts'
import { type Call, command } from '../../command.ts'
import { wrongUsage } from '../../failure.ts'
import { findJob } from '../../find-job.ts'
import { path } from '../../http.ts'
import type { BackupJob, BackupJobChange } from '../../records.ts'
import { clean } from '../../text.ts'
import { moment } from '../../units.ts'

const ownFlags = {
  ...jobFlags,
  '--name <name>': 'Give it another name',
  '--disable': 'Do not follow its schedule',
  '--enable': 'Follow its schedule again',
} as const

export default command({
  args: '<job>',
  flags: ownFlags,
  details: '\nA job by its name or id. What is not given stays.',
  examples: ['cli backups update nightly --disable', 'cli backups update nightly --keep-days 30'],
  run: update,
})

async function update({ args, flags, client, print, io }: Call<'<job>', typeof ownFlags>) {
  const { hooks, ...given } = await readJobFlags(flags, io)
  const body: BackupJobChange = given
  if (flags.name !== undefined) body.name = flags.name
  if (flags.enable && flags.disable) throw wrongUsage('--enable and --disable: one of them')
  if (flags.enable || flags.disable) body.enabled = flags.enable
  if (Object.keys(body).length === 0 && !hooks) throw wrongUsage('say what to change')
  const service = await client()
  const { id, hooks: known } = (await findJob(service, args.job)).value
  if (hooks) body.hooks = { ...known, ...hooks }
  print.reply(await service.put<BackupJob>(path`/backup-jobs/${id}`, { body }), (job) => {
    print.line(`${clean(job.name)} is changed`)
    print.note(`  next run: ${moment(job.next_run_at) ?? 'none by itself'}`)
  })
}
