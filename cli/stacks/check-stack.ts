import { load } from '../../functions/compose/load/load.ts'
import type { ComposeInput } from '../../functions/compose/project.ts'
import type { StackDetails } from '../api/types.ts'
import { mainFileOf } from '../folder/main-file.ts'

/**
 * Whether the policy of this client version allows a stack, without an overlay or with one of its
 * overlays.
 */
export interface Verdict {
  stack: string
  host: string
  /** The overlay; null for none. */
  environment: string | null
  /** `unknown`: the stack does not load with the texts that the API returns. */
  result: 'ok' | 'refused' | 'unknown'
  /** Why, with file, line and path; null for `ok`. */
  reason: string | null
}

/** A stack's verdicts, and notes on what could not be checked. */
export interface StackCheck {
  verdicts: Verdict[]
  notes: string[]
}

/** What a project may use without `stacks:privileged`, as configured in the service. */
export type Limits = Pick<ComposeInput, 'registries'>

/**
 * Loads a stack without an overlay and with each of them, as for a caller without
 * `stacks:privileged`. Sends nothing.
 */
export function checkStack(stack: StackDetails, limits: Limits): StackCheck {
  const environments = [null, ...Object.keys(stack.overlays).sort()]
  const verdicts = environments.map((environment) => verdictOn(stack, environment, limits))
  return { verdicts, notes: notesOn(stack, verdicts) }
}

function verdictOn(stack: StackDetails, environment: string | null, limits: Limits): Verdict {
  const place = { stack: stack.name, host: stack.host, environment }
  const refusal = refusalOf(stack, environment, limits)
  if (!refusal) return { ...place, result: 'ok', reason: null }
  const certain = refusal.status === 403 || isComplete(stack)
  const result = certain ? 'refused' : 'unknown'
  return { ...place, result, reason: refusal.message }
}

function refusalOf(
  stack: StackDetails,
  environment: string | null,
  limits: Limits,
): { status: number; message: string } | undefined {
  try {
    load({ ...limits, ...textsOf(stack, environment) })
    return undefined
  } catch (error) {
    if (!(error instanceof Error) || !('status' in error)) throw error
    return { status: Number(error.status), message: error.message }
  }
}

function textsOf(stack: StackDetails, environment: string | null): ComposeInput {
  const { name, directory, compose, overlays, env } = stack
  const main = mainFileOf(stack.files)
  const overlay = environment === null ? [] : [`compose.${environment}.yaml`]
  const named = Object.entries(overlays).map(([key, text]) => [`compose.${key}.yaml`, text])
  return {
    name,
    directory,
    reach: 'stack',
    environment: {},
    profiles: [],
    composeFiles: [main, ...overlay],
    files: {
      ...Object.fromEntries(named),
      ...(env === null ? {} : { '.env': env }),
      [main]: compose,
    },
  }
}

/** Returns the files of a stack whose contents the API did not return. */
function unread(stack: StackDetails): string[] {
  const read = new Set([
    ...[mainFileOf(stack.files), ...(stack.env === null ? [] : ['.env'])],
    ...Object.keys(stack.overlays).map((name) => `compose.${name}.yaml`),
  ])
  return stack.files.map(({ path }) => path).filter((path) => !read.has(path))
}

const isComplete = (stack: StackDetails) => unread(stack).length === 0

function notesOn(stack: StackDetails, verdicts: readonly Verdict[]): string[] {
  const others = unread(stack).filter((path) => path !== '.env')
  const merged = others.filter((path) => /^(docker-)?compose\.[^/]*ya?ml$/.test(path))
  const isUnknown = verdicts.some(({ result }) => result === 'unknown')
  return [
    ...(unread(stack).includes('.env')
      ? ['not checked: values of .env (requires the permission stacks:secrets)']
      : []),
    ...(merged.length > 0 ? [`not checked: ${merged.join(', ')}`] : []),
    ...(isUnknown && others.length > 0
      ? [`not checked: ${others.length} other files, whose contents the API does not return`]
      : []),
    ...externals(stack),
  ]
}

/**
 * Returns a note if the stack uses volumes, networks or containers of other stacks. The service
 * checks these when it plans.
 */
function externals({ compose, overlays }: StackDetails): string[] {
  const texts = [compose, ...Object.values(overlays)]
  if (!texts.some((text) => /\bexternal:|\bname:|container:|external_links:/.test(text))) return []
  return ['not checked: the owners of the volumes, networks and containers that it names']
}
