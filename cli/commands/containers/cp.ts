import { command } from '../../command.ts'
import { copyIn, copyOut, placeIn } from '../../copy/copy.ts'
import { wrongUsage } from '../../failure.ts'
import { hostFor, oneHost } from '../../resolve/host.ts'

export default command({
  args: '<source> <target>',
  details: `
Copies files and directories between a container, given as <container>:<path>, and this machine. The container need not
run. A target that is a directory gets the source inside; another one becomes the source. A source that ends with /.
means what is in that directory. A target - writes a tar archive to standard output, a source - reads one. Links are
kept if they stay inside of what is copied; devices and the like are left out. Files in the container belong to root
afterwards. Files of more than 15 MiB are not copied in.`,
  examples: [
    'cli containers cp web:/etc/nginx ./conf',
    'cli containers cp ./app.conf web:/etc/app/',
    'cli containers cp web:/var/log - > log.tar',
  ],
  fields: { path: '<source> or <target>' },
  async run({ args, flags, client, print, io }) {
    const [from, to] = [placeIn(args.source), placeIn(args.target)]
    if ((from === undefined) === (to === undefined)) {
      throw wrongUsage('one of the two must be <container>:<path>, and the other one a local path')
    }
    const named = oneHost(flags.host)
    const api = await client()
    const host = await hostFor(api, named)
    const context = { api, io, print }
    if (from) await copyOut({ id: from.name, host, ...from }, args.target, context)
    if (to) await copyIn(args.source, { id: to.name, host, ...to }, context)
  },
})
