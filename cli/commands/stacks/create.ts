import { type Call, command } from '../../command.ts'
import { sharedFlag, sharedOf } from '../../flags/shared-flag.ts'
import { folderDetails, folderFlags } from '../../folder/flags.ts'
import { rememberRevision } from '../../folder/known-revision.ts'
import { prepareFolder } from '../../folder/prepare.ts'
import { sendNew } from '../../folder/send-new.ts'
import { settleData } from '../../folder/settle-data.ts'
import { showDryRun, showFolder } from '../../folder/show.ts'
import { warnUnsent } from '../../folder/warn-unsent.ts'
import { createFromSource } from '../../from-source/create-stack.ts'
import { fromSourceFields, fromSourceFlags, isFromSource } from '../../from-source/flags.ts'
import { clean } from '../../output/text.ts'
import { hostFor, hostOf, oneHost } from '../../resolve/host.ts'

const ownFlags = { ...folderFlags, ...fromSourceFlags, ...sharedFlag } as const

export default command({
  args: '<name>',
  nameFromFolder: true,
  flags: ownFlags,
  progress: true,
  details: `${folderDetails}

With --git, --oci or --source, the files are those of a source instead, and the stack follows it. The client makes the
source if there is none with that address and reference, looks at it, and shows what it found. On a terminal it asks for
what is missing: an account, a deploy key, or whether the key of the server is right. Elsewhere it names the flags. If
something fails, it says what was made. Needs registries:manage on every host, and stacks:deploy.

Saves the stack without deploying it: see \`cli stacks deploy\`. Use --host to name its host.`,
  examples: [
    'cli stacks create && cli stacks deploy',
    'cli stacks create shop --dry-run',
    'cli stacks create shop --file shop/compose.yaml --overlay prod=shop/prod.yaml',
    'cli stacks create shop --directory ..',
    'cli stacks create shop --shared home',
    'cli stacks create shop --git https://forge.example.org/ada/estate.git --path apps/shop --user ada',
    'cli stacks create shop --git git@forge.example.org:ada/estate.git --ref main --path apps/shop',
    'cli stacks create shop --oci registry.example.org/team/shop:1.0',
  ],
  fields: { ...fromSourceFields, shared_variables: '--shared' },
  run: create,
})

async function create({ args, flags, client, print, io }: Call<'<name>', typeof ownFlags>) {
  const named = oneHost(flags.host)
  const { name } = args
  const shared = sharedOf(flags)
  if (isFromSource(flags)) {
    const asked = { name, flags, host: named, shared }
    return createFromSource(asked, { client: await client(), print, io })
  }
  const first = await prepareFolder(name, flags, io)
  if (flags.dryRun) return showDryRun(first, print)
  const service = await client()
  const folder = { name, flags }
  const { prepared, unsent } = await settleData(first, folder, { io, print })
  showFolder(prepared, print)
  const host = await hostFor(service, named)
  const sent = { name, host, prepared, unsent, shared }
  const reply = await sendNew(sent, { client: service, io, print })
  const { isAlone, root } = prepared.files
  if (!isAlone) await rememberRevision(service, { name, root }, reply.value.revision, io)
  print.reply(reply, (stack) => {
    const host = hostOf(stack)
    print.line(`${clean(stack.name)} is saved on host ${clean(host)}`)
    warnUnsent({ stack, host, unsent, folder, root }, { io, print })
    print.note(`  next: cli stacks deploy ${clean(stack.name)}`)
  })
}
