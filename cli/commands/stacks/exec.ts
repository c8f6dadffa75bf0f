import { type Call, command } from '../../command.ts'
import { wrongUsage } from '../../failure.ts'
import { execFlags, execIn } from '../../follow/exec.ts'
import { findServiceContainer } from '../../resolve/service-container.ts'

const ownFlags = {
  ...execFlags,
  '--index <number>': 'The number of the container, if the service has several',
} as const

export default command({
  args: '<stack> <service> [...command]',
  flags: ownFlags,
  verbatim: true,
  details:
    '\nRuns a command, by default a shell, in a running container of a service: in the first one, or in the one with\n' +
    '--index. Put flags of the client before the service: everything after it belongs to the command. Exits with the\n' +
    'exit code of the command.',
  examples: ['cli stacks exec shop web', 'cli stacks exec --index 2 shop web -- ls -la /srv'],
  fields: { name: '<stack>', cmd: '[...command]' },
  run: exec,
})

type Given = Call<'<stack> <service> [...command]', typeof ownFlags>

async function exec({ args, flags, io, client }: Given): Promise<number> {
  const number = numberOf(flags.index)
  const service = await client()
  const wanted = { stack: args.stack, service: args.service, number }
  const { id, host } = await findServiceContainer(service, wanted, flags.host)
  return execIn(service, { id, host, command: args.command }, flags, io)
}

function numberOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw wrongUsage(`--index ${JSON.stringify(text)}: must be a number from 1`)
}
