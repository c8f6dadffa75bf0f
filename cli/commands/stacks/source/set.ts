import type { Client } from '../../../api/client.ts'
import type { StackSource } from '../../../api/types.ts'
import { type Call, command } from '../../../command.ts'
import { ApiFailure, wrongUsage } from '../../../failure.ts'
import { choiceOf } from '../../../flags/choice.ts'
import { showStackSource } from '../../../output/stack-source.ts'
import { checkHost } from '../../../resolve/host.ts'

const ownFlags = {
  '--path <folder>': 'The folder of the files in the source; `.`, the default: all of it',
  '--also <...folder>':
    'Deploy for a change in this folder too; repeatable, replaces earlier names; `none`: none',
  '--on-change <mode>': '`notify`, `plan` or `deploy`; the default is plan',
  '--overwrite': 'Deployments overwrite files that were edited on the host',
  '--keep-edits': 'Deployments stop at files that were edited on the host, the default',
} as const

export default command({
  args: '<name> <source>',
  flags: ownFlags,
  details: `
Lets a stack follow a source: the files of the stack are those of the source from then on. Files that the source does
not have stay, and so do variables of \`.env\` with other values. Equal files change nothing. With --on-change notify, a
change is only shown; with plan, it becomes the newest revision; with deploy, it is deployed too, unless the stack is
stopped or was never deployed. If the stack follows this source already, what no flag names keeps its value. Syncs act
as you. Needs stacks:update and stacks:deploy, and registries:manage on every host.`,
  examples: [
    'cli stacks source set shop shop --on-change deploy',
    'cli stacks source set shop estate --path apps/shop --also shared',
    'cli stacks source set shop estate --overwrite',
  ],
  fields: {
    source: '<source>',
    path: '--path',
    also: '--also',
    on_change: '--on-change',
    overwrite: '--overwrite',
  },
  run: set,
})

const modes = ['notify', 'plan', 'deploy'] as const

type SetCall = Call<'<name> <source>', typeof ownFlags>

async function set({ args, flags, client, print }: SetCall) {
  const { path, overwrite, keepEdits } = flags
  if (overwrite && keepEdits) throw wrongUsage('give --overwrite or --keep-edits, not both')
  const onChange = choiceOf('--on-change', flags.onChange, modes)
  const service = await client()
  await checkHost(service, args.name, flags.host)
  const before = await termsBefore(service, args)
  const body = {
    source: args.source,
    path: path === '.' ? '' : (path ?? before.path),
    also: alsoOf(flags.also) ?? before.also,
    on_change: onChange ?? before.on_change,
    overwrite: overwrite || (before.overwrite && !keepEdits),
  }
  const reply = await service.put('/stacks/{name}/source', { path: { name: args.name }, body })
  print.reply(reply, (binding) => showStackSource(binding, print))
}

type Terms = Pick<StackSource, 'also' | 'on_change' | 'overwrite' | 'path'>

const defaults: Terms = { path: '', also: [], on_change: 'plan', overwrite: false }

/** Returns how a stack follows a source now: the defaults if it follows another one, or none. */
async function termsBefore(
  service: Client,
  { name, source }: Pick<SetCall['args'], 'name' | 'source'>,
): Promise<Terms> {
  try {
    const { value } = await service.get('/stacks/{name}/source', { path: { name } })
    return value.source === source ? value : defaults
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return defaults
    throw error
  }
}

/** Returns the folders that a flag lists: none for `none`, undefined if it was not given. */
function alsoOf(named: string[]): string[] | undefined {
  if (named.length === 0) return undefined
  return named.length === 1 && named[0] === 'none' ? [] : named
}
