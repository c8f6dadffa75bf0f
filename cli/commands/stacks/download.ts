import { realpath, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Client } from '../../api/client.ts'
import { type Call, command } from '../../command.ts'
import { fetchContents } from '../../download/fetch-contents.ts'
import { type DownloadPlan, planDownload } from '../../download/plan-download.ts'
import { putInPlace } from '../../download/put-in-place.ts'
import { showPlan } from '../../download/show-plan.ts'
import { sizeOf } from '../../download/stored-entry.ts'
import { failed, hasCode } from '../../failure.ts'
import { revisionOf } from '../../flags/revision-flag.ts'
import { filesOfRevision, knownRevision, rememberRevision } from '../../folder/known-revision.ts'
import { shortList } from '../../folder/short-list.ts'
import { makeBar } from '../../output/progress-bar.ts'
import { clean } from '../../output/text.ts'
import { checkHost } from '../../resolve/host.ts'

const ownFlags = {
  '--revision <number>': 'An earlier revision; defaults to the current one',
  '--force': 'Replace files that differ from the stack',
  '--dry-run': 'Show what would be written; nothing is',
} as const

export default command({
  args: '<name> [directory]',
  flags: ownFlags,
  progress: true,
  details: `
Writes the stored files of a stack into a directory, by default ./<name>: compose file, .env, overlays and all others,
with their modes and links. Files that are there and differ are never replaced without --force, unless they are still as
this directory was last sent or downloaded. Other files in the directory stay. If something fails, the directory is as
it was.

Reading secret files, such as .env, needs the permission stacks:secrets: without it they are named and left out. The
last 20 revisions are stored, and others as long as a deployment refers to them.`,
  examples: [
    'cli stacks download shop',
    'cd shop && cli stacks download shop .',
    'cli stacks download shop old --revision 3',
  ],
  run: download,
})

type Args = '<name> [directory]'

async function download({ args, flags, client, print, io }: Call<Args, typeof ownFlags>) {
  const { name } = args
  const given = revisionOf(flags.revision)
  const root = await rootOf(resolve(io.cwd, args.directory ?? name))
  const service = await client()
  await checkHost(service, name, flags.host)
  const { value: stack } = await service.get('/stacks/{name}', { path: { name } })
  const revision = given ?? stack.revision
  const stored = revision === stack.revision ? stack.files : await storedAt(service, name, revision)
  const plan = await planDownload({
    root,
    stored,
    before: await filesBefore(service, { name, root }, io),
    readsSecrets: (await service.get('/me')).value.permissions.includes('stacks:secrets'),
  })
  if (plan.replace.length > 0 && !flags.force && !flags.dryRun) throw differing(root, plan)
  showPlan(plan, print)
  if (flags.dryRun) print.note('dry run: nothing was written')
  else {
    await bring(plan, { name, root, revision }, { service, io, print })
    await rememberRevision(service, { name, root }, revision, io)
  }
  const { write, replace, remove, unchanged, hidden, git } = plan
  const written = [...write, ...replace].map(({ path }) => path)
  const did = { stack: name, revision, directory: root, written, removed: remove, unchanged }
  print.data({ ...did, hidden, left_out: git, dry_run: flags.dryRun }, () => {
    if (flags.dryRun) return
    const count = `${written.length} written, ${unchanged} unchanged`
    print.line(`revision ${revision} of ${clean(name)} is in ${clean(root)}: ${count}`)
  })
}

type Context = Pick<Call, 'io' | 'print'> & { service: Client }

async function bring(
  { write, replace, remove }: DownloadPlan,
  { name, root, revision }: { name: string; root: string; revision: number },
  { service, io, print }: Context,
): Promise<void> {
  const entries = [...write, ...replace].sort((one, other) => (one.path < other.path ? -1 : 1))
  const files = entries.flatMap((entry) => ('link' in entry ? [] : [entry]))
  const links = entries.flatMap((entry) => ('link' in entry ? [entry] : []))
  const total = files.reduce((sum, file) => sum + sizeOf(file), 0)
  const bar = total > barFrom ? makeBar(io, print.progress, `receiving ${clean(name)}`) : undefined
  let done = 0
  try {
    await putInPlace(root, { files, links, remove }, (directory) =>
      fetchContents(service, { name, revision }, files, directory, (bytes) => {
        done += bytes
        bar?.show(done, total)
      }),
    )
  } finally {
    bar?.end()
  }
}

/** Smaller downloads show no progress. Bytes. */
const barFrom = 4 * 1024 * 1024

function differing(root: string, { replace }: DownloadPlan) {
  const paths = replace.map(({ path }) => path)
  const verb = paths.length === 1 ? 'differs' : 'differ'
  return failed(
    `nothing was written: in ${clean(root)}, ${shortList(paths)} ${verb} from the stack`,
    {
      hint: '--force replaces them, --dry-run shows all changes',
    },
  )
}

async function storedAt(service: Client, name: string, revision: number) {
  const stored = await filesOfRevision(service, name, revision)
  if (!stored) throw failed(`revision ${revision} of stack ${clean(name)} is not stored`)
  return stored
}

/** Returns the files of the revision that the directory had last, if both are known. */
async function filesBefore(
  service: Client,
  folder: { name: string; root: string },
  io: Call['io'],
) {
  const known = await knownRevision(service, folder, io)
  return known === undefined ? undefined : filesOfRevision(service, folder.name, known)
}

/** Returns a directory without links in its path; the path itself if there is nothing yet. */
async function rootOf(path: string): Promise<string> {
  try {
    if (!(await stat(path)).isDirectory()) throw failed(`${clean(path)} is no directory`)
    return await realpath(path)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return path
    if (hasCode(error, 'ENOTDIR', 'EACCES', 'ELOOP'))
      throw failed(`${clean(path)} cannot be read`, { cause: error })
    throw error
  }
}
