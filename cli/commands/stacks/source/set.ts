import { type Call, command } from '../../../command.ts'
import { choiceOf } from '../../../flags/choice.ts'
import { showStackSource } from '../../../output/stack-source.ts'
import { checkHost } from '../../../resolve/host.ts'

const ownFlags = {
  '--path <folder>': 'The folder of the files in the source; all of it by default',
  '--also <...folder>': 'Deploy for a change in this folder too; repeatable',
  '--on-change <mode>': '`notify`, `plan` or `deploy`; the default is plan',
  '--overwrite': 'Deployments overwrite files that were edited on the host',
} as const

export default command({
  args: '<name> <source>',
  flags: ownFlags,
  details: `
Lets a stack follow a source: the files of the stack are those of the source from then on. Files that the source does
not have stay, and so do variables of \`.env\` with other values. Equal files change nothing. With --on-change notify, a
change is only shown; with plan, it becomes the newest revision; with deploy, it is deployed too, unless the stack is
stopped or was never deployed. If the stack follows a source already, flags that you leave out get their defaults. Syncs
act as you. Needs stacks:update and stacks:deploy, and registries:manage on every host.`,
  examples: [
    'cli stacks source set shop shop --on-change deploy',
    'cli stacks source set shop estate --path apps/shop --also shared',
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

async function set({ args, flags, client, print }: Call<'<name> <source>', typeof ownFlags>) {
  const service = await client()
  await checkHost(service, args.name, flags.host)
  const body = {
    source: args.source,
    path: flags.path ?? '',
    also: flags.also ?? [],
    on_change: choiceOf('--on-change', flags.onChange, modes) ?? 'plan',
    overwrite: flags.overwrite,
  }
  const reply = await service.put('/stacks/{name}/source', { path: { name: args.name }, body })
  print.reply(reply, (binding) => showStackSource(binding, print))
}
