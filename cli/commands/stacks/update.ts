import type { Stack } from '../../api/types.ts'
import { type Call, command } from '../../command.ts'
import { revisionOf } from '../../flags/revision-flag.ts'
import { findDifference } from '../../folder/find-change.ts'
import { folderDetails, folderFlags } from '../../folder/flags.ts'
import { guardNewer } from '../../folder/guard-newer.ts'
import { knownRevision, rememberRevision } from '../../folder/known-revision.ts'
import { type PreparedFolder, prepareFolder } from '../../folder/prepare.ts'
import { askRemoval } from '../../folder/removal.ts'
import { sendChange } from '../../folder/send-change.ts'
import { settleData } from '../../folder/settle-data.ts'
import { showDifference, showFolder } from '../../folder/show.ts'
import { newReport, type UnsentData, unsentData } from '../../folder/unsent-data.ts'
import { warnUnsent } from '../../folder/warn-unsent.ts'
import { clean } from '../../output/text.ts'
import { checkHost, hostOf } from '../../resolve/host.ts'

const ownFlags = {
  ...folderFlags,
  '--revision <number>': 'Fail if the stack was changed since this revision',
  '--yes': 'Delete files of the stack that the directory no longer has, without asking',
  '--force': 'Replace files that changed in the stack since this directory had them',
} as const

export default command({
  args: '<name>',
  nameFromFolder: true,
  flags: ownFlags,
  progress: true,
  details: `${folderDetails}

It also sends the files that the stack has already and the directory too. It sends only what differs from the stack. It
names the files of the stack that the directory does not have: they are deleted if you confirm it or use --yes, and kept
otherwise. .env, and overlays if the directory has none, are always kept. Containers change with the next deploy.

The client remembers which revision a directory had last. If files changed in the stack since then, by an import from
the host, a rollback or an update from elsewhere, it names those that it would replace, and asks; without a terminal it
sends nothing unless --force is given. \`cli stacks download\` brings them into the directory.`,
  examples: [
    'cli stacks update shop && cli stacks deploy shop',
    'cli stacks update shop --dry-run',
  ],
  run: update,
})

async function update({ args, flags, client, print, io }: Call<'<name>', typeof ownFlags>) {
  const basedOn = revisionOf(flags.revision)
  const { name } = args
  const service = await client()
  await checkHost(service, name, flags.host)
  const { value: stack } = await service.get('/stacks/{name}', { path: { name } })
  const first = await prepareFolder(name, flags, io, stack)
  const given = { name, flags, stored: stack }
  const asks = isNew(stack) && !flags.dryRun
  const settled = asks ? await settleData(first, given, { io, print }) : undefined
  const { prepared, unsent } = settled ?? { prepared: first, unsent: [] }
  const difference = await findDifference(prepared, stack.files)
  showFolder(prepared, print, 'found')
  showDifference(difference, print)
  const { isAlone, root } = prepared.files
  const folder = { name, root }
  const isUnknown = isAlone || basedOn !== undefined
  const known = isUnknown ? undefined : await knownRevision(service, folder, io)
  await guardNewer({ stack, known, difference, flags }, { client: service, io, print })
  if (flags.dryRun) return print.note('dry run: nothing was sent')
  const remove = await askRemoval(difference.gone, flags, { io, print })
  const revision = basedOn ?? stack.revision
  const toSend = toReport(prepared, flags, settled?.unsent)
  const reported = isAlone ? undefined : newReport(stack.unsent_data, toSend)
  const change = { name, revision, difference, remove, unsentData: reported }
  const reply = await sendChange(change, prepared.found, { client: service, io, print })
  if (!isAlone) await rememberRevision(service, folder, reply.value.revision, io)
  print.reply(reply, (saved) => {
    const isSame = saved.revision === stack.revision
    const result = isSame ? 'has not changed' : 'is saved'
    print.line(`${clean(name)} ${result}, revision ${saved.revision}`)
    warnUnsent({ stack: saved, host: hostOf(saved), unsent, folder: given, root }, { io, print })
    if (!isSame) print.note(`  next: cli stacks deploy ${clean(name)}`)
  })
}

/** Returns whether a stack was never on its host, so that its directory there is empty. */
const isNew = ({ status, last_deployment, deployed_at }: Stack) =>
  status === 'not_deployed' && last_deployment === null && deployed_at === null

/** Returns the data to report to the stack: none that the user decided about. */
function toReport(
  { found }: PreparedFolder,
  { emptyData }: { emptyData: boolean },
  undecided: readonly UnsentData[] | undefined,
): string[] {
  return emptyData ? [] : (undecided ?? unsentData(found)).map(({ path }) => path)
}
