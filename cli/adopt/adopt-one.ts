import type { Client, Reply } from '../client.ts'
import type { Io } from '../io.ts'
import type { Printer } from '../print.ts'
import { confirmed } from '../prompt.ts'
import type { AdoptedStack, ComposeProject } from '../records.ts'
import { clean } from '../text.ts'
import { bytes } from '../units.ts'
import { makeBar } from './bar.ts'
import { type Bundle, packBundle } from './pack.ts'
import { type BundleChoice, type Prepared, prepare } from './prepare.ts'
import { upload } from './upload.ts'

/** What all adoptions of one call share. */
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
  { choice, projects }: AdoptCall,
  work: (prepared: Prepared, bundle: Bundle) => Promise<T>,
): Promise<T> {
  const prepared = await prepare(directory, choice, projects)
  const bundle = await packBundle(prepared.files, choice.sizeMax)
  try {
    return await work(prepared, bundle)
  } finally {
    await bundle.remove()
  }
}

/** Returns what would be adopted and sent. */
export const previewOf = (
  { name, directory, project, services, files, notes }: Prepared,
  { size }: Bundle,
) => ({
  name,
  directory,
  host: project.host_id,
  working_dir: project.working_dir,
  refusal: project.refusal,
  services: services ?? [...new Set(project.services.map((one) => one.name))],
  services_checked: services !== undefined,
  files: files.length,
  bundle_bytes: size,
  notes,
})

/** Shows what an adoption would do. Sends nothing. */
export async function previewOne(directory: string, call: AdoptCall): Promise<void> {
  await withBundle(directory, call, async (prepared, bundle) => {
    const preview = previewOf(prepared, bundle)
    if (call.print.format === 'json') return call.print.line(JSON.stringify(preview))
    showPreview(preview, call.print)
    call.print.note('dry run: nothing was sent')
  })
}

function showPreview(preview: ReturnType<typeof previewOf>, print: Printer): void {
  print.facts({
    stack: preview.name,
    host: preview.host,
    'lives in': preview.working_dir,
    services: preview.services.join(', '),
    bundle: `${preview.files} files, ${bytes(preview.bundle_bytes)}`,
  })
  for (const note of preview.notes) print.note(clean(note))
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
    const { name, project, files, notes } = prepared
    for (const note of notes) print.note(clean(note))
    const what = `${clean(name)} on host ${clean(project.host_id)} (${files.length} files, ${bytes(bundle.size)})`
    if (!yes) await confirmed(io, `Adopt ${what}?`, '--yes')
    const reply = await send(prepared, bundle, call)
    print.reply(reply, (stack) => report(stack, print))
  })
}

/** Sends the bundle and completes the adoption. */
export function send(
  { name }: Prepared,
  bundle: Bundle,
  { service, io, print, host }: AdoptCall,
): Promise<Reply<AdoptedStack>> {
  const bar = makeBar(io, print.format, `sending ${clean(name)}`)
  return upload(service, bundle, { name, host }, { io, bar })
}

function report(stack: AdoptedStack, print: Printer): void {
  const { name, host, services, differences, warnings } = stack
  print.line(
    `${clean(name)} is adopted on host ${clean(host)}: ${services.running} of ${services.total} services are running, none was restarted`,
  )
  if (differences.length > 0) {
    print.line('the next deploy would change:')
    print.table(differences, [
      { head: 'SERVICE', text: (one) => one.service },
      { head: 'WHAT', text: (one) => one.field },
      { head: 'RUNNING', text: (one) => one.running },
      { head: 'BUNDLE', text: (one) => one.bundle },
    ])
  }
  for (const warning of warnings) print.note(`  ${clean(warning)}`)
}
