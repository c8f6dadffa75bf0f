import { command } from '../../command.ts'
import { confirmed } from '../../prompt.ts'
import type { PrunedImages } from '../../records.ts'
import { oneHost } from '../../stack-place.ts'
import { clean } from '../../text.ts'
import { bytes } from '../../units.ts'

export default command({
  flags: { '--yes': 'Do not ask' },
  details:
    '\nRemoves images that no container uses and that lost their names, such as to a newer build or pull.\n' +
    'Rejected while a deployment on the host builds an image.',
  async run({ flags, client, print, io }) {
    const host = oneHost(flags.host)
    const where = host === undefined ? '' : ` of host ${clean(host)}`
    const service = await client()
    if (!flags.yes) await confirmed(io, `Remove all unused images${where}?`, '--yes')
    const reply = await service.post<PrunedImages>('/images/prune', {
      query: { host },
      patience: 0,
    })
    print.reply(reply, ({ deleted, reclaimed_bytes }) => {
      for (const id of deleted) print.line(clean(id))
      print.note(
        `images and layers removed: ${deleted.length}; space reclaimed: ${bytes(reclaimed_bytes)}`,
      )
    })
  },
})
