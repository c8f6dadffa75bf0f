import { command } from '../../command.ts'
import { isDetached, noWaitFlag } from '../../flags/detach-flag.ts'
import { followRun, sayRunStarted } from '../../follow/backup-run.ts'
import { clean } from '../../output/text.ts'
import { confirmation, yesFlag } from '../../prompt.ts'
import { checkHost } from '../../resolve/host.ts'

export default command({
  args: '<name>',
  flags: { ...noWaitFlag, ...yesFlag },
  progress: true,
  details: `
Takes the last update of a stack back with its data: its files, images and volumes are those of the backup that was made
before the update. It is offered for a day after an update with a checkpoint, while nothing else changed the stack. What
was written since is kept in volumes, which a warning names. No update applies these images again:
\`cli stacks held-back\`. Needs stacks:deploy and the permissions to restore the stack. Exits with 1 if the restore
failed; the service then tries it again.`,
  examples: ['cli stacks undo shop', 'cli stacks undo shop --yes'],
  async run({ args: { name }, flags, client, print, io }) {
    const confirm = confirmation(io, flags)
    const service = await client()
    await checkHost(service, name, flags.host)
    await confirm(
      `Take back the last update of ${clean(name)} with its data? What was written since is moved to other volumes.`,
    )
    const path = { name }
    const started = await service.post('/stacks/{name}/undo', { path, timeout: 0 })
    if (isDetached(flags)) return sayRunStarted(started, print)
    await followRun(
      started,
      { client: service, print, io },
      () => `${clean(name)}: the update is undone`,
    )
  },
})
