import { command } from '../../command.ts'
import { diffLines } from '../../output/diff-lines.ts'
import { painter } from '../../output/paint.ts'
import { checkHost } from '../../resolve/host.ts'

export default command({
  args: '<name>',
  nameFromFolder: true,
  flags: {
    '--from <state>': 'The files before (default: deployed)',
    '--to <state>': 'The files after (default: current)',
  },
  details: `
Shows how the files of a stack differ: by default, what the next deploy would
write. A state is current, deployed, host (the files that are on the host now),
the number of a revision, or the id of a deployment.`,
  async run({ args, flags, client, print, io }) {
    const service = await client()
    await checkHost(service, args.name, flags.host)
    const query = { from: flags.from, to: flags.to }
    const reply = await service.get('/stacks/{name}/diff', { path: { name: args.name }, query })
    print.reply(reply, (files) => {
      for (const line of diffLines(files, painter(io.stdout, io.env))) print.line(line)
      if (files.length === 0) print.note('no differences')
    })
  },
})
