import { command } from '../../command.ts'
import { clean } from '../../output/text.ts'
import { confirmation, yesFlag } from '../../prompt.ts'
import { checkHost, hostOf } from '../../resolve/host.ts'

export default command({
  args: '<name>',
  flags: yesFlag,
  details: `
Deletes what the service stores of the stack: its files and the history of its deployments. Nothing changes on its host:
containers keep running, and networks, volumes and files stay, so that \`docker compose\` can go on with the project.
\`cli stacks adopt\` brings it back. Backups stay. To remove containers and files too, use \`cli stacks delete\`.`,
  examples: ['cli stacks forget shop'],
  async run({ args, flags, client, print, io }) {
    const confirm = confirmation(io, flags)
    const service = await client()
    await checkHost(service, args.name, flags.host)
    const path = { name: args.name }
    const { value: stack } = await service.get('/stacks/{name}', { path })
    const name = clean(args.name)
    await confirm(`Forget the stack ${name} with its history? Its containers and files stay.`)
    const reply = await service.post('/stacks/{name}/forget', { path })
    print.reply(reply, () => {
      print.line(`${name} is forgotten`)
      const place = `${clean(stack.directory)} on host ${clean(hostOf(stack))}`
      print.note(`its containers, networks and volumes stay, and its files in ${place}`)
      print.note('  to manage it again: cli stacks adopt <its directory>')
    })
  },
})
