import { prepare } from '../adopt/prepare.ts'
import type { Client } from '../api/client.ts'
import type { ComposeProject, Stack } from '../api/types.ts'
import { CliFailure } from '../failure.ts'
import { type PreparedFolder, prepareFiles } from '../folder/prepare.ts'
import { staying, type UnsentData, unsentData } from '../folder/unsent-data.ts'
import { everyPage } from '../follow/every-page.ts'
import { hostOf } from '../resolve/host.ts'
import { hasRunning, leftOutText, type PeerFolder, type PeerStack } from './peer-stack.ts'

/** As large as the service accepts by default: data of services is left out. Bytes. */
const bundleBytesMax = 1024 * 1024 * 1024

/** What the service has already. */
export interface Present {
  stacks: readonly Stack[]
  /** The projects that run on the hosts. */
  projects: readonly ComposeProject[]
}

/** What happens with one stack. */
export type ImportStep = { stack: PeerStack; leftOut: string[]; notes: string[] } & (
  | {
      action: 'adopt'
      name: string
      host: string
      folder: PeerFolder
      projects: readonly ComposeProject[]
    }
  | {
      action: 'create'
      name: string
      host: string
      prepared: PreparedFolder
      unsent: UnsentData[]
    }
  /** `isFailure`: the user can change something and import the rest. */
  | { action: 'none'; why: string; isFailure: boolean }
)

/** Returns the stacks in the caller's scope. */
export async function stacksOf(service: Client): Promise<Stack[]> {
  return (await everyPage(service, '/stacks', {})) as Stack[]
}

/** Returns what an import does with a stack. Sends nothing. */
export async function planStep(stack: PeerStack, present: Present): Promise<ImportStep> {
  const facts = { stack, leftOut: stack.leftOut.map(leftOutText), notes: [...stack.notes] }
  const none = (why: string, isFailure: boolean) =>
    ({ ...facts, action: 'none', why, isFailure }) as const
  const { name, host, folder, refused, needs } = stack
  const existing = present.stacks.find((one) => one.name === (name ?? stack.peerName))
  if (existing && (name !== null || refused?.reason === 'name-in-use')) {
    const isHere = isOn(existing, host)
    const here = `it is a stack already, in ${existing.directory}`
    const elsewhere = `a stack of that name is on host ${hostOf(existing)}`
    return none(isHere ? here : elsewhere, !isHere && name !== null)
  }
  if (needs !== null) return none(needs, true)
  if (name === null || host === null || folder === null)
    return none(refused?.detail ?? 'it is refused', false)
  const projects = present.projects.filter((one) => [one.host_id, one.host_name].includes(host))
  try {
    const project = projects.find((one) => one.name === name)
    if (!project && !hasRunning(stack))
      return { ...facts, ...(await creation(name, folder, stack)), host }
    const reason = await adoptionRefusal(name, folder, projects)
    return reason === undefined
      ? { ...facts, action: 'adopt', name, host, folder, projects }
      : none(reason, true)
  } catch (error) {
    if (!(error instanceof CliFailure) || error.exitCode !== 1) throw error
    return none(error.message, true)
  }
}

/** Returns whether a stack is on a host, which has this id or name. */
export const isOn = (stack: Stack, host: string | null): boolean =>
  [stack.host, hostOf(stack)].some((one) => one === host)

/** Returns the choice of what a bundle has. */
export const choiceOf = (name: string, { env, data }: PeerFolder) => ({
  name,
  withEnv: true,
  sizeMax: bundleBytesMax,
  env,
  data,
})

async function adoptionRefusal(
  name: string,
  folder: PeerFolder,
  projects: readonly ComposeProject[],
): Promise<string | undefined> {
  const project = projects.find((one) => one.name === name)
  if (!project) return 'the service does not list the project as running: see cli stacks projects'
  if (project.refusal !== null) return project.refusal
  await prepare(folder.compose.root, choiceOf(name, folder), projects)
  return undefined
}

/** Only running projects can be adopted. Others become stacks that are not deployed. */
async function creation(name: string, { compose }: PeerFolder, stack: PeerStack) {
  const prepared = await prepareFiles(name, compose, { include: [], all: false })
  const unsent = unsentData(prepared.found)
  const directory = stack.directory ?? compose.root
  const notes = [
    ...stack.notes,
    ...(unsent.length === 0 ? [] : [dataNote(unsent, directory)]),
    ...Object.entries(compose.overlays).map(
      ([one, { path }]) => `${path} becomes an overlay: deploy with --environment ${one}`,
    ),
  ]
  return { action: 'create' as const, name, prepared, unsent, notes }
}

const dataNote = (unsent: readonly UnsentData[], directory: string) =>
  `${staying(unsent, directory)}, unless the stack gets that directory. To keep it there, start the project first: a project that runs keeps its directory`
