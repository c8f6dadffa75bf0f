import { command } from '../../command.ts'
import { clean } from '../../output/text.ts'
import { confirmation, yesFlag } from '../../prompt.ts'
import { findJob } from '../../resolve/find.ts'

export default command({
  args: '<job>',
  flags: yesFlag,
  details: '\nDeletes a job, given by name or id. Its backups are kept and can still be restored.',
  async run({ args, flags, client, print, io }) {
    const confirm = confirmation(io, flags)
    const service = await client()
    const { id, name } = await findJob(service, args.job)
    await confirm(`Delete the backup job ${clean(name)}?`)
    const reply = await service.delete('/backup-jobs/{id}', { path: { id } })
    print.reply(reply, () => print.line(`${clean(name)} is deleted, its backups are kept`))
  },
})
