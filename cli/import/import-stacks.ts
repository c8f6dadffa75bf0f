import { send, withBundle } from '../adopt/adopt-one.ts'
import type { Client } from '../api/client.ts'
import type { ComposeProject } from '../api/types.ts'
import { CliFailure, failed } from '../failure.ts'
import { sendNew } from '../folder/send-new.ts'
import { shortList } from '../folder/short-list.ts'
import type { Io } from '../io.ts'
import type { Printer } from '../output/print.ts'
import { clean } from '../output/text.ts'
import { confirmed } from '../prompt.ts'
import type { PeerStack } from './peer-stack.ts'
import { choiceOf, type ImportStep, isOn, planStep, stacksOf } from './plan-import.ts'

/** Where to import to, and how to report. */
export interface ImportCall {
  service: Client
  io: Io
  print: Printer
  /** The projects that run on the hosts of the stacks. */
  projects: readonly ComposeProject[]
  /** The name of the product. */
  product: string
  /** What a person should know afterwards, with the way back. */
  wayBack: readonly string[]
}

/**
 * Returns what a person should know after an import.
 *
 * @param what the product still has
 */
export const wayBackOf = (product: string, what: string): string[] => [
  `${product} still has ${what}: an import changes nothing there`,
  '  the way back: cli stacks forget <name> removes a stack from this service alone, and all runs on',
  `  use one of the two for a stack: from now on, do not change imported stacks in ${product}`,
]

/** The result for one stack. */
interface Line {
  stack: string
  host: string | null
  status: PeerStack['status']
  directory: string | null
  result: 'would be adopted' | 'would be created' | 'adopted' | 'created' | 'left out' | 'failed'
  details: string
  left_out: string[]
  notes: string[]
}

/**
 * Imports stacks and reports on each: adopts those that run, and creates the others without a
 * deploy. A stack that exists is left alone, so a second run does the rest. Throws a `CliFailure`
 * if one failed.
 */
export async function importStacks(
  stacks: readonly PeerStack[],
  call: ImportCall,
  { dryRun, yes }: { dryRun: boolean; yes: boolean },
): Promise<void> {
  const steps = await planned(stacks, call)
  const todo = steps.flatMap((step) => (step.action === 'none' ? [] : [step.name]))
  if (!dryRun && todo.length > 0 && !yes) {
    if (call.print.format === 'table') showNotes(steps, call)
    const question = `Import ${todo.length} stacks (${shortList(todo)}) from ${call.product}?`
    await confirmed(call.io, `${question} No container is restarted.`, '--yes')
  }
  const lines: Line[] = []
  for (const step of steps) lines.push(dryRun ? preview(step) : await perform(step, call))
  show(lines, call, dryRun)
  if (dryRun) call.print.note('dry run: nothing was sent')
  const bad = lines.filter(({ result }) => result === 'failed').length
  if (bad === 0) return
  throw failed(`${bad} of ${lines.length} stacks cannot be imported: see the table`, {
    hint: 'remove the causes and run the same command again: it leaves out what is imported already',
  })
}

async function planned(stacks: readonly PeerStack[], call: ImportCall): Promise<ImportStep[]> {
  const present = { stacks: await stacksOf(call.service), projects: call.projects }
  // Stacks of the service that never were in the other product are no news.
  const isOwn = ({ peerName, host, refused }: PeerStack) =>
    refused?.reason === 'not-in-stacks-directory' &&
    present.stacks.some((one) => one.name === peerName && isOn(one, host))
  const steps: ImportStep[] = []
  for (const stack of stacks) if (!isOwn(stack)) steps.push(await planStep(stack, present))
  return steps
}

const lineOf = (
  { stack, leftOut, notes }: ImportStep,
  result: Line['result'],
  details: string,
): Line => ({
  stack: stack.name ?? stack.peerName,
  host: stack.host,
  status: stack.status,
  directory: stack.directory,
  result,
  details,
  left_out: leftOut,
  notes,
})

function preview(step: ImportStep): Line {
  if (step.action === 'none') return leftAlone(step)
  return step.action === 'adopt'
    ? lineOf(step, 'would be adopted', 'it keeps running, in its directory')
    : lineOf(step, 'would be created', 'it is not deployed')
}

const leftAlone = (step: ImportStep & { action: 'none' }) =>
  lineOf(step, step.isFailure ? 'failed' : 'left out', step.why)

async function perform(step: ImportStep, call: ImportCall): Promise<Line> {
  if (step.action === 'none') return leftAlone(step)
  try {
    return step.action === 'adopt' ? await adopted(step, call) : await created(step, call)
  } catch (error) {
    // Continues with the other stacks, unless the credential was refused.
    if (!(error instanceof CliFailure) || error.exitCode !== 1) throw error
    return lineOf(step, 'failed', error.message)
  }
}

async function adopted(step: ImportStep & { action: 'adopt' }, call: ImportCall): Promise<Line> {
  const { name, host, folder, projects } = step
  const adoption = { ...call, host, projects, choice: choiceOf(name, folder) }
  const { value } = await withBundle(folder.compose.root, adoption, (prepared, bundle) =>
    send(prepared, bundle, adoption),
  )
  const changed = new Set(value.differences.map(({ service }) => service))
  const details = [
    'none of its containers was restarted',
    ...(changed.size > 0 ? [`the next deploy changes ${shortList([...changed])}`] : []),
  ]
  const notes = [...step.notes, ...value.warnings]
  return lineOf({ ...step, notes }, 'adopted', details.join('; '))
}

async function created(step: ImportStep & { action: 'create' }, call: ImportCall): Promise<Line> {
  const { name, host, prepared, unsent } = step
  const { service: client, io, print } = call
  const { value } = await sendNew({ name, host, prepared, unsent }, { client, io, print })
  return lineOf(step, 'created', `not deployed; its directory is ${value.directory}`)
}

function show(lines: readonly Line[], { print, product, wayBack }: ImportCall, dryRun: boolean) {
  print.data(lines, (shown) => {
    print.table(shown, [
      { head: 'STACK', text: (line) => line.stack },
      { head: 'HOST', text: (line) => line.host },
      { head: dryRun ? 'WHAT HAPPENS' : 'RESULT', text: whatHappens },
      { head: 'LEFT OUT', text: (line) => line.left_out.join('; ') },
    ])
    for (const { stack, notes } of shown) {
      for (const note of notes) print.note(`${clean(stack)}: ${clean(note)}`)
    }
    if (shown.length === 0) print.note(`there are no stacks of ${product} to import`)
    for (const line of wayBack) print.note(line)
  })
}

const whatHappens = ({ result, details }: Line) => `${result}: ${details}`

/** Before the question, says what is special. */
function showNotes(steps: readonly ImportStep[], { print }: ImportCall): void {
  for (const { stack, leftOut, notes } of steps) {
    const name = clean(stack.name ?? stack.peerName)
    for (const note of notes) print.note(`${name}: ${clean(note)}`)
    for (const part of leftOut) print.note(`${name}: left out: ${clean(part)}`)
  }
}
