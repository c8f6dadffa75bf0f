import type { Reply } from '../../api/client.ts'
import type { PrunedImages } from '../../api/types.ts'
import { command } from '../../command.ts'
import { wrongUsage } from '../../failure.ts'
import { detachFlag } from '../../flags/detach-flag.ts'
import { withoutWaiting } from '../../follow/deploy.ts'
import { followOperation, sayOperationStarted } from '../../follow/operation.ts'
import type { Printer } from '../../output/print.ts'
import { clean } from '../../output/text.ts'
import { bytes, moment, shortId } from '../../output/units.ts'
import { whyKept } from '../../output/why-kept.ts'
import { confirmation, yesFlag } from '../../prompt.ts'
import { hostFor, oneHost } from '../../resolve/host.ts'

export default command({
  flags: {
    '--all': 'Also images with names; needs stacks:privileged',
    '--dry-run': 'Remove nothing, and print what would be removed',
    ...detachFlag,
    ...yesFlag,
  },
  progress: true,
  details:
    '\nRemoves images that no container uses and that lost their names, such as to a newer build or pull.\n' +
    'Those of the last three deployments of each stack stay, so that it can be rolled back.\n' +
    'Rejected while a deployment on the host builds an image. An interrupt ends the waiting, not the prune.',
  async run({ flags, client, print, io }) {
    if (flags.dryRun && flags.detach) throw wrongUsage('--dry-run and --detach: use only one')
    const named = oneHost(flags.host)
    const confirm = flags.dryRun ? undefined : confirmation(io, flags)
    const service = await client()
    const asked = { host: await hostFor(service, named), all: flags.all === true }
    if (flags.dryRun) {
      const query = { ...asked, dry_run: true }
      return showPlan(await service.post('/images/prune', { query }), print)
    }
    const of = named === undefined ? '' : ` of host ${clean(named)}`
    const which = flags.all ? 'all unused images' : 'all unused images without a name'
    await confirm?.(`Remove ${which}${of}?`)
    const { timeout } = withoutWaiting
    const query = { ...asked, ...withoutWaiting.query }
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

/** Prints the images that a prune would remove, and those that it leaves. */
function showPlan(reply: Reply<PrunedImages>, print: Printer) {
  print.reply(reply, ({ images, kept }) => {
    const rows = [
      ...images.map((image) => ({ ...image, why: 'remove' })),
      ...kept.map((image) => ({ ...image, why: whyKept(image) })),
    ]
    print.table(rows, [
      { head: 'IMAGE', text: (one) => one.tags.join(', ') || one.digests[0] },
      { head: 'ID', text: (one) => shortId(one.id) },
      { head: 'SIZE', text: (one) => bytes(one.size) },
      { head: 'CREATED', text: (one) => moment(one.created_at) },
      { head: 'PRUNE', text: (one) => one.why },
    ])
    const size = images.reduce((sum, image) => sum + image.size, 0)
    print.note(`images to remove: ${images.length}, at most ${bytes(size)}`)
  })
}
