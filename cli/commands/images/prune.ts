import { command } from '../../command.ts'
import { detachFlag } from '../../flags/detach-flag.ts'
import { withoutWaiting } from '../../follow/deploy.ts'
import { followOperation, sayOperationStarted } from '../../follow/operation.ts'
import { clean } from '../../output/text.ts'
import { bytes } from '../../output/units.ts'
import { confirmation, yesFlag } from '../../prompt.ts'
import { hostFor, oneHost } from '../../resolve/host.ts'

export default command({
  flags: { ...detachFlag, ...yesFlag },
  progress: true,
  details:
    '\nRemoves images that no container uses and that lost their names, such as to a newer build or pull.\n' +
    'Those of the last three deployments of each stack stay, so that it can be rolled back.\n' +
    'Rejected while a deployment on the host builds an image. An interrupt ends the waiting, not the prune.',
  async run({ flags, client, print, io }) {
    const named = oneHost(flags.host)
    const confirm = confirmation(io, flags)
    const service = await client()
    const host = await hostFor(service, named)
    await confirm(
      `Remove all unused images${named === undefined ? '' : ` of host ${clean(named)}`}?`,
    )
    const { timeout } = withoutWaiting
    const query = { host, ...withoutWaiting.query }
    const started = await service.post('/images/prune', { query, timeout })
    if (flags.detach) return sayOperationStarted(started, print)
    const reply = await followOperation(started, { client: service, print, io })
    print.reply(reply, ({ deleted, reclaimed_bytes, kept }) => {
      for (const id of deleted) print.line(clean(id))
      const removed = `images and layers removed: ${deleted.length}`
      print.note(`${removed}; space reclaimed: ${bytes(reclaimed_bytes)}`)
      if (kept.length > 0) print.note(`images kept for a rollback: ${kept.length}`)
    })
  },
})
