import { command } from '../../command.ts'
import { confirmation, yesFlag } from '../../prompt.ts'
import { findRun } from '../../resolve/find.ts'

/** No timeout: a backup may have many objects. */
const timeout = 0

export default command({
  args: '<run>',
  flags: { ...yesFlag, '--force': 'Only forget the run; what is at the target stays there' },
  details: `
Deletes a backup from its target, and its run from the list. If the target does not respond, nothing is forgotten: run
the command again, or use --force. \`cli backups runs\` lists the runs.`,
  examples: ['cli backups delete-run 01978f00-0000-7000-8000-000000000002'],
  async run({ args, flags, client, print, io }) {
    const confirm = confirmation(io, flags)
    const service = await client()
    const id = await findRun(service, args.run)
    const { value: run } = await service.get('/backup-runs/{id}', { path: { id } })
    const isBackup = run.kind === 'backup' && !flags.force
    const what = `${isBackup ? 'the backup' : 'the run'} ${id}`
    await confirm(`Delete ${what} of ${run.started_at}?`)
    const query = { force: flags.force }
    const reply = await service.delete('/backup-runs/{id}', { path: { id }, query, timeout })
    print.reply(reply, () => print.line(`${what} is deleted`))
  },
})
