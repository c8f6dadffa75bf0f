import { command } from '../../command.ts'
import { revisionOf } from '../../flags/revision-flag.ts'
import { bytes } from '../../output/units.ts'

export default command({
  args: '<name>',
  nameFromFolder: true,
  list: true,
  flags: { '--revision <n>': 'The files of this revision; defaults to the current one' },
  details: `
Lists the files that the service stores of a stack. \`cli stacks get --only\` prints one, and \`cli stacks download\` writes
all of them into a directory. Reading a secret file needs the permission stacks:secrets.`,
  examples: ['cli stacks files shop', 'cli stacks files shop --revision 3'],
  async run({ args: { name }, flags, client, print }) {
    const revision = revisionOf(flags.revision)?.toString()
    const service = await client()
    const reply = await service.get('/stacks/{name}/files', { path: { name }, query: { revision } })
    print.reply(reply, (files) =>
      print.table(files, [
        { head: 'PATH', text: (file) => file.path },
        { head: 'SIZE', text: (file) => bytes(file.size) },
        { head: 'MODE', text: (file) => file.mode },
        { head: 'SECRET', text: (file) => (file.secret ? 'yes' : 'no') },
        { head: 'LINK', text: (file) => file.link },
      ]),
    )
  },
})
