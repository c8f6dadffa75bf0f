import { type Call, command } from '../../command.ts'
import { wrongUsage } from '../../failure.ts'
import { composeFlags } from '../../folder/flags.ts'
import { textsToCheck } from '../../folder/texts-to-check.ts'
import { clean } from '../../output/text.ts'
import { checkHost } from '../../resolve/host.ts'

const ownFlags = {
  ...composeFlags,
  '--stored': 'Check the stored files of the stack',
  '--environment <name>': 'Check only with this overlay applied',
} as const

export default command({
  args: '[name]',
  flags: ownFlags,
  details: `
Prints every problem of the compose files of the current directory, and of the files that they read, as
<file>:<line>:<column>: <severity>: <message>. With the name of a stack, files that are not sent come from it; with
--stored, all of them do. Stores nothing. Exits with 1 if there is an error; warnings alone exit with 0.`,
  examples: ['cli stacks validate', 'cli stacks validate shop --stored --output json'],
  run: validate,
})

async function validate({ args, flags, client, print, io }: Call<'[name]', typeof ownFlags>) {
  if (flags.stored && args.name === undefined) throw wrongUsage('--stored: name a stack')
  const service = await client()
  if (args.name !== undefined) await checkHost(service, args.name, flags.host)
  const sent = (names: string) => print.note(`checking ${clean(names)}`)
  const texts = flags.stored ? {} : await textsToCheck(flags, io, sent)
  const body = { ...texts, stack: args.name, environment: flags.environment }
  const reply = await service.post('/stacks/validate', { body })
  print.reply(reply, (problems) => {
    for (const { path, line, column, severity, message } of problems) {
      print.line(clean(`${path}:${line}:${column}: ${severity}: ${message}`))
    }
    if (problems.length === 0) print.line('no problems')
  })
  return reply.value.some(({ severity }) => severity === 'error') ? 1 : 0
}
