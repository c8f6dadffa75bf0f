import { type Call, command } from '../../command.ts'
import { wrongUsage } from '../../failure.ts'
import { readVariables } from '../../flags/variable-file.ts'
import type { Io } from '../../io.ts'
import { clean } from '../../output/text.ts'
import { openSecrets } from '../../prompt.ts'

const ownArgs = '<name> [...variables]'
const ownFlags = {
  '--env-file <path>': 'Also take the variables of this file, in the form of .env',
  '--unset <...variable>': 'Delete this variable; repeatable',
  '--tag <...tag>': 'Only for stacks on hosts with this tag; repeatable, replaces earlier tags',
  '--untagged': 'For stacks on every host',
} as const

type SetCall = Call<typeof ownArgs, typeof ownFlags>

export default command({
  args: ownArgs,
  flags: ownFlags,
  details: `
Changes a set of variables, or creates it. \`NAME=value\` sets a variable; other users of this machine may see it while
the command runs. For \`NAME\` alone the client asks for the value; if standard input is not a terminal, its next line
is used. What is not named stays. Stacks that take the set have the new values from their next deploy on. Values cannot
be read back. Needs variables:manage and stacks:privileged on every host.`,
  examples: [
    'cli variables set home TZ=Europe/Oslo',
    'cli variables set mail SMTP_PASSWORD < password.txt',
    'cli variables set home --env-file global.env --tag lab',
    'cli variables set home --unset OLD_NAME',
  ],
  fields: { name: '<name>', variables: '<variables>', tags: '--tag' },
  run: set,
})

async function set({ args: { name, variables }, flags, client, print, io }: SetCall) {
  if (flags.untagged && flags.tag.length > 0) throw wrongUsage('--tag and --untagged: use only one')
  const tags = flags.untagged || flags.tag.length > 0 ? flags.tag : undefined
  const isChange = variables.length + flags.unset.length > 0 || flags.envFile !== undefined
  const service = await client()
  const { value: sets } = await service.get('/variables')
  const isThere = sets.some((one) => one.name === name)
  if (isThere && !isChange && !tags) {
    throw wrongUsage('nothing to change: name variables, or give a flag')
  }
  const values = await valuesOf(variables, flags.envFile, io)
  if (!isThere) {
    if (flags.unset.length > 0) throw wrongUsage(`there is no set ${JSON.stringify(name)}`)
    const body = { name, variables: Object.fromEntries(values), ...(tags && { tags }) }
    const reply = await service.post('/variables', { body })
    print.reply(reply, () => print.line(`${clean(name)} is created`))
    return
  }
  const removed = flags.unset.map((variable) => [variable, null] as const)
  const body = { variables: Object.fromEntries([...values, ...removed]), ...(tags && { tags }) }
  const reply = await service.put('/variables/{name}', { path: { name }, body })
  print.reply(reply, ({ stacks }) => {
    print.line(`${clean(name)} is updated`)
    for (const stack of stacks) print.note(`  next: cli stacks deploy ${clean(stack)}`)
  })
}

/** Returns the named values, after those of a file. */
async function valuesOf(
  named: readonly string[],
  file: string | undefined,
  io: Io,
): Promise<Map<string, string>> {
  const values = file === undefined ? new Map<string, string>() : await readVariables(io, file)
  const secrets = openSecrets(io)
  for (const text of named) {
    const at = text.indexOf('=')
    const name = at < 0 ? text : text.slice(0, at)
    values.set(name, at < 0 ? await secrets.next(`Value of ${name}`) : text.slice(at + 1))
  }
  return values
}
