import type { Client, Reply } from '../api/client.ts'
import type { AdoptedStack, ComposeProject } from '../api/types.ts'
import { failed } from '../failure.ts'
import { showResult } from '../follow/show-result.ts'
import type { Io } from '../io.ts'
import type { Printer } from '../output/print.ts'
import { makeBar } from '../output/progress-bar.ts'
import { clean } from '../output/text.ts'
import { bytes } from '../output/units.ts'
import { confirmed } from '../prompt.ts'
import { type Bundle, type PackEntry, packBundle } from '../upload/pack.ts'
import type { BundleFile } from './directory.ts'
import { type BundleChoice, type Prepared, prepare } from './prepare.ts'
import { upload } from './upload.ts'

/** The context that all adoptions of one command share. */
export interface AdoptCall {
  service: Client
  io: Io
  print: Printer
  host: string | undefined
  choice: BundleChoice
  /** The projects that run on the host. */
  projects: readonly ComposeProject[]
}

/** Checks a directory and packs its bundle. `work` may use the bundle until it resolves. */
export async function withBundle<T>(
  directory: string,
  { choice, projects, io }: AdoptCall,
  work: (prepared: Prepared, bundle: Bundle) => Promise<T>,
): Promise<T> {
  const prepared = await prepare(directory, choice, projects)
  const { sizeMax } = choice
  const tooLarge = () =>
    failed(`the bundle is larger than ${bytes(sizeMax)}`, {
      hint: 'raise the limit with --max-size <bytes>',
    })
  const bundle = await packBundle(packed(prepared.files, choice), { sizeMax, tooLarge }, io)
  try {
    return await work(prepared, bundle)
  } finally {
    await bundle.remove()
  }
}

/** Returns the entries of a bundle, with another text of `.env` if one is given. */
function packed(files: readonly BundleFile[], { env }: BundleChoice): readonly PackEntry[] {
  if (env === undefined) return files
  const others = files.filter(({ path }) => path !== '.env')
  return [...others, { path: '.env', mode: 0o644, read: async () => Buffer.from(env) }]
}

/** Returns what would be adopted and sent. */
export const previewOf = (
  { name, directory, project, services, files, notes, needsEnv }: Prepared,
  { size }: Bundle,
) => ({
  name,
  directory,
  host: project.host_id,
  host_name: project.host_name,
  working_dir: project.working_dir,
  refusal: project.refusal,
  services: services ?? [...new Set(project.services.map((one) => one.name))],
  services_checked: services !== undefined,
  files: files.length,
  bundle_bytes: size,
  notes,
  needs_env: needsEnv ?? null,
})

/** Shows what an adoption would do. Sends nothing. */
export async function previewOne(directory: string, call: AdoptCall): Promise<void> {
  await withBundle(directory, call, async (prepared, bundle) => {
    call.print.data(previewOf(prepared, bundle), (preview) => {
      showPreview(preview, call.print)
      call.print.note('dry run: nothing was sent')
    })
  })
}

/** Returns what to do about the need of a `.env` that is left out. */
export const envWarning = (need: string) =>
  clean(`${need}: send it with --with-env, or the next deploy changes these services`)

function showPreview(preview: ReturnType<typeof previewOf>, print: Printer): void {
  print.facts({
    stack: preview.name,
    host: preview.host_name,
    'lives in': preview.working_dir,
    services: preview.services.join(', '),
    bundle: `${preview.files} files, ${bytes(preview.bundle_bytes)}`,
  })
  for (const note of preview.notes) print.note(clean(note))
  if (preview.needs_env !== null) print.note(envWarning(preview.needs_env))
  if (preview.refusal !== null) print.note(`the service would refuse it: ${clean(preview.refusal)}`)
  if (!preview.services_checked)
    print.note('the service checks whether services differ when you adopt')
}

/** Adopts one project: asks for confirmation before and reports after. */
export async function adoptOne(
  directory: string,
  call: AdoptCall,
  { yes }: { yes: boolean },
): Promise<void> {
  const { io, print } = call
  await withBundle(directory, call, async (prepared, bundle) => {
    const { name, project, files, notes, needsEnv } = prepared
    for (const note of notes) print.note(clean(note))
    if (needsEnv !== undefined) print.note(envWarning(needsEnv))
    const what = `${clean(name)} on host ${clean(project.host_name)} (${files.length} files, ${bytes(bundle.size)})`
    const without = needsEnv === undefined ? '' : ' without its .env'
    if (!yes) await confirmed(io, `Adopt ${what}${without}?`, '--yes')
    const reply = await send(prepared, bundle, call)
    if (print.progress === 'tty' && print.format === 'table')
      await showResult(call.service, name, io)
    print.reply(reply, (stack) => report(stack, project.host_name, print))
  })
}

/** Sends the bundle and completes the adoption. */
export function send(
  { name }: Prepared,
  bundle: Bundle,
  { service, io, print, host }: AdoptCall,
): Promise<Reply<AdoptedStack>> {
  const bar = makeBar(io, print.progress, `sending ${clean(name)}`)
  return upload(service, bundle, { name, host }, { io, bar })
}

function report(stack: AdoptedStack, host: string, print: Printer): void {
  const { name, services, differences, warnings } = stack
  print.line(
    `${clean(name)} is adopted on host ${clean(host)}: ${services.running} of ${services.total} services are running, none was restarted`,
  )
  if (differences.length > 0) {
    print.line('the next deploy would change:')
    print.table(differences, [
      { head: 'SERVICE', text: (one) => one.service },
      { head: 'WHAT', text: (one) => one.field },
      { head: 'RUNNING', text: (one) => shownValue(one, one.running) },
      { head: 'BUNDLE', text: (one) => shownValue(one, one.bundle) },
    ])
  }
  for (const warning of warnings) print.note(`  ${clean(warning)}`)
}

/** The service never returns values of environment variables, which may be secrets. */
const shownValue = ({ field }: { field: string }, value: string | null) =>
  field.startsWith('environment.') ? '(hidden)' : value
