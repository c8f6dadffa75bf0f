import { type Call, command } from '../../command.ts'
import { execFlags, execIn } from '../../follow/exec.ts'
import { hostFor, oneHost } from '../../resolve/host.ts'

export default command({
  args: '<container> [...command]',
  flags: execFlags,
  verbatim: true,
  details:
    '\nRuns a command, by default a shell, in a container given by id or name. Put flags of the client\nbefore the container: everything after it belongs to the ' +
    'command. Exits with the exit code of the command.',
  examples: ['cli containers exec web', 'cli containers exec --user 1000 web ls -la /srv'],
  fields: { id: '<container>', cmd: '[...command]' },
  run: exec,
})

type CommandCall = Call<'<container> [...command]', typeof execFlags>

async function exec({ args, flags, io, client }: CommandCall): Promise<number> {
  const named = oneHost(flags.host)
  const service = await client()
  const host = await hostFor(service, named)
  return execIn(service, { id: args.container, host, command: args.command }, flags, io)
}
