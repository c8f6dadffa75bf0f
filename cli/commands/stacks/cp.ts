import { command } from '../../command.ts'
import { copyIn, copyOut, placeIn } from '../../copy/copy.ts'
import { wrongUsage } from '../../failure.ts'
import { findServiceContainer } from '../../resolve/service-container.ts'

export default command({
  args: '<name> <source> <target>',
  details: `
Copies files and directories between a running container of a service, given as <service>:<path>, and this machine, as
\`cli containers cp\` does.`,
  examples: ['cli stacks cp shop web:/etc/nginx ./conf'],
  fields: { path: '<source> or <target>' },
  async run({ args, flags, client, print, io }) {
    const [from, to] = [placeIn(args.source), placeIn(args.target)]
    const place = from ?? to
    if (!place || (from && to)) {
      throw wrongUsage('one of the two must be <service>:<path>, and the other one a local path')
    }
    const api = await client()
    const wanted = { stack: args.name, service: place.name, number: undefined }
    const found = await findServiceContainer(api, wanted, flags.host)
    const context = { api, io, print }
    const { path, isContents } = place
    if (from) await copyOut({ ...found, path, isContents }, args.target, context)
    else await copyIn(args.source, { ...found, path, isContents }, context)
  },
})
