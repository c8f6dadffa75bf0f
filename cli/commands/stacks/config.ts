import { stringify } from 'yaml'
import { command } from '../../command.ts'
import { cleanLines } from '../../output/text.ts'
import { checkHost } from '../../resolve/host.ts'

export default command({
  args: '<name>',
  nameFromFolder: true,
  flags: { '--environment <name>': 'Apply this overlay' },
  details: `
Prints what a deploy would deploy, as \`docker compose config\` does: merged, with variables substituted, in long form.
Without the permission stacks:secrets, expressions such as \${NAME} stay as they are written. With --output json, prints
exactly what the API returned.`,
  examples: ['cli stacks config shop', 'cli stacks config shop --environment prod > resolved.yaml'],
  async run({ args, flags, client, print, io }) {
    const service = await client()
    await checkHost(service, args.name, flags.host)
    const query = { environment: flags.environment }
    const reply = await service.get('/stacks/{name}/config', { path: { name: args.name }, query })
    print.reply(reply, (model) => {
      const text = stringify(model, { lineWidth: 0, aliasDuplicateObjects: false })
      // The text is escaped for a terminal, but written unchanged to a file or pipe.
      io.stdout.write(io.stdout.isTTY ? cleanLines(text) : text)
    })
  },
})
