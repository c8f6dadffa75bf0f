import { type Call, command } from '../../command.ts'
import { folderDetails, folderFlags } from '../../folder/flags.ts'
import { rememberRevision } from '../../folder/known-revision.ts'
import { prepareFolder } from '../../folder/prepare.ts'
import { sendNew } from '../../folder/send-new.ts'
import { settleData } from '../../folder/settle-data.ts'
import { showDryRun, showFolder } from '../../folder/show.ts'
import { warnUnsent } from '../../folder/warn-unsent.ts'
import { clean } from '../../output/text.ts'
import { hostFor, hostOf, oneHost } from '../../resolve/host.ts'

export default command({
  args: '<name>',
  nameFromFolder: true,
  flags: folderFlags,
  progress: true,
  details: `${folderDetails}

Saves the stack without deploying it: see \`cli stacks deploy\`. Use --host to name its host.`,
  examples: [
    'cli stacks create && cli stacks deploy',
    'cli stacks create shop --dry-run',
    'cli stacks create shop --file shop/compose.yaml --overlay prod=shop/prod.yaml',
    'cli stacks create shop --directory ..',
  ],
  run: create,
})

async function create({ args, flags, client, print, io }: Call<'<name>', typeof folderFlags>) {
  const named = oneHost(flags.host)
  const { name } = args
  const first = await prepareFolder(name, flags, io)
  if (flags.dryRun) return showDryRun(first, print)
  const service = await client()
  const folder = { name, flags }
  const { prepared, unsent } = await settleData(first, folder, { io, print })
  showFolder(prepared, print)
  const host = await hostFor(service, named)
  const reply = await sendNew({ name, host, prepared, unsent }, { client: service, io, print })
  const { isAlone, root } = prepared.files
  if (!isAlone) await rememberRevision(service, { name, root }, reply.value.revision, io)
  print.reply(reply, (stack) => {
    const host = hostOf(stack)
    print.line(`${clean(stack.name)} is saved on host ${clean(host)}`)
    warnUnsent({ stack, host, unsent, folder, root }, { io, print })
    print.note(`  next: cli stacks deploy ${clean(stack.name)}`)
  })
}
